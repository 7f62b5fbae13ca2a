import { fieldAt, providerConditions } from '@slipway/cluster-api';
import type { JsonValue } from '@slipway/kube';
import type { Condition } from '@slipway/runtime';
import type { Observed } from '../objects/index.js';
import type { ShownCondition } from './tree-node.js';

/** Condition types with negative polarity: True reports a problem or an operation in progress. */
const negative = new Set([
  'Paused',
  'Deleting',
  'RollingOut',
  'ScalingUp',
  'ScalingDown',
  'Updating',
  'Remediating',
  'Degraded',
  'Progressing',
]);

export function isNegative(type: string): boolean {
  return negative.has(type);
}

export type Verdict = 'good' | 'bad' | 'unknown';

export function verdictOf({ type, status }: Pick<Condition, 'type' | 'status'>): Verdict {
  if (status === 'Unknown') return 'unknown';
  return (status === 'True') === isNegative(type) ? 'bad' : 'good';
}

/** Returns the v1beta2 conditions, at the path of the kind's contract version. Invalid conditions count as not reported. */
export function conditionsOf(object: Observed): readonly Condition[] {
  try {
    return providerConditions(object);
  } catch {
    return [];
  }
}

export function conditionOf(object: Observed, type: string): Condition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type);
}

/** Returns the deprecated v1beta1 conditions. */
export function oldConditionsOf(object: Observed): readonly ShownCondition[] {
  const list =
    fieldAt(object, 'status', 'deprecated', 'v1beta1', 'conditions') ?? fieldAt(object, 'status', 'conditions');
  return Array.isArray(list) ? (list as readonly JsonValue[]).flatMap(oldCondition) : [];
}

function oldCondition(entry: JsonValue): ShownCondition[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const fields = entry as Readonly<Record<string, unknown>>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const severity = text('severity');
  return [
    {
      type: text('type'),
      status: text('status') as Condition['status'],
      reason: text('reason'),
      message: text('message'),
      lastTransitionTime: text('lastTransitionTime'),
      ...(severity !== '' && { severity }),
    },
  ];
}

/**
 * Returns which conditions of an object to show, as selected by `all`, `Kind` or `Kind/name`. With the suffix `+` only relevant
 * conditions, see `isRelevant`.
 */
export type ConditionFilter = (object: Pick<Observed, 'kind' | 'metadata'>) => 'none' | 'all' | 'relevant';

export function parseConditionFilter(text: string): ConditionFilter {
  const filters = text
    .toLowerCase()
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [kind = '', name] = part.replace(/\+$/, '').split('/');
      return { kind, name, show: part.endsWith('+') ? ('relevant' as const) : ('all' as const) };
    });
  return ({ kind, metadata }) =>
    filters.find(
      (filter) =>
        filter.kind === 'all' ||
        (filter.kind === kind.toLowerCase() &&
          (filter.name === undefined || filter.name === (metadata.name ?? '').toLowerCase())),
    )?.show ?? 'none';
}

/** Returns true for the summary conditions Available and Ready, and for conditions that report a problem or have a message. */
export function isRelevant(condition: ShownCondition): boolean {
  if (condition.type === 'Available' || condition.type === 'Ready') return true;
  return verdictOf(condition) !== 'good' || condition.message !== '';
}
