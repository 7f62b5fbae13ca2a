import { conditionOf, conditionsOf, type Observed, verdictOf } from '@slipway/insight';
import type { Tone } from '../model/cluster.js';

/** The one condition that stands for an object. */
export function mainCondition(object: Observed): ReturnType<typeof conditionOf> {
  return conditionOf(object, 'Available') ?? conditionOf(object, 'Ready');
}

/** How it is with an object, as a colour. What says nothing is neither good nor bad. */
export function toneOf(object: Observed): Tone {
  if ((object.metadata.deletionTimestamp ?? '') !== '') return 'off';
  const main = mainCondition(object);
  if (main !== undefined) return { good: 'good', bad: 'bad', unknown: 'wait' }[verdictOf(main)] as Tone;
  if (conditionsOf(object).some((condition) => verdictOf(condition) === 'bad')) return 'wait';
  return conditionsOf(object).length > 0 ? 'good' : 'off';
}
