import { fieldAt, flagAt, textAt } from '@slipway/cluster-api';
import {
  conditionOf,
  conditionsOf,
  type Explanation,
  isNegative,
  type Observed,
  refOf,
  reportedProblem,
  type ShownCondition,
  verdictOf,
} from '@slipway/insight';
import { refKey, type Tone } from '../model/cluster.js';

/** Returns the condition that summarizes the object. */
export function mainCondition(object: Observed): ReturnType<typeof conditionOf> {
  return conditionOf(object, 'Available') ?? conditionOf(object, 'Ready');
}

/** Returns the tone of a condition. A condition with negative polarity is `wait` if True and neutral if False. */
export function conditionTone(condition: Pick<ShownCondition, 'type' | 'status' | 'severity'>): Tone {
  const verdict = verdictOf(condition);
  if (verdict === 'unknown') return 'wait';
  if (isNegative(condition.type)) return verdict === 'bad' ? 'wait' : 'off';
  if (verdict === 'good') return 'good';
  return condition.severity === 'Info' || condition.severity === 'Warning' ? 'wait' : 'bad';
}

/** Returns the state of an object as a tone. An object without a known condition is neutral. */
export function toneOf(object: Observed): Tone {
  if (reportedProblem(object) !== undefined) return 'bad';
  if ((object.metadata.deletionTimestamp ?? '') !== '') return 'off';
  const main = mainCondition(object);
  const verdict = main && verdictOf(main);
  if (verdict === 'good') return 'good';
  if (verdict === 'bad') return isOnItsWay(object) ? 'wait' : 'bad';
  if (verdict === 'unknown') return 'wait';
  const tones = conditionsOf(object).map(conditionTone);
  if (tones.includes('bad') || tones.includes('wait')) return 'wait';
  const isProvisioned = flagAt(object, 'status', 'initialization', 'provisioned');
  return isProvisioned || tones.includes('good') ? 'good' : 'off';
}

/** Returns whether an object is still being created. Such an object is not ready, but not failing either. */
function isOnItsWay(object: Observed): boolean {
  const phase = textAt(object, 'status', 'phase') ?? '';
  if (phase === 'Pending' || phase === 'Provisioning' || phase === 'Provisioned') return true;
  if (['ScalingUp', 'RollingOut'].some((type) => conditionOf(object, type)?.status === 'True')) return true;
  const isInfrastructure = /(^|\.)infrastructure\./.test(refOf(object).group);
  return (
    isInfrastructure &&
    fieldAt(object, 'spec') !== undefined &&
    !flagAt(object, 'status', 'initialization', 'provisioned')
  );
}

/** Returns the keys of the objects that require action by a user. */
export function blockedObjects({ root, others }: Explanation): ReadonlySet<string> {
  const causes = root === undefined ? others : [root, ...others];
  return new Set(causes.filter(({ urgency }) => urgency === 'act').map(({ object }) => refKey(object)));
}
