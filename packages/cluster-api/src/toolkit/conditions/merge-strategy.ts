import type { Condition, ConditionStatus } from '@slipway/runtime';
import { type ConditionSource, aggregateMessage } from './aggregate-message.js';
import { indentIfMultiline } from './indent.js';

export type MergePriority = 'issue' | 'unknown' | 'info';
export type MergeOperation = 'summary' | 'aggregate';

export interface MergeGroups {
  readonly issues: readonly ConditionSource[];
  readonly unknown: readonly ConditionSource[];
  readonly info: readonly ConditionSource[];
}

export interface MergeStrategy {
  /** Returns the priority of a condition. Defaults to one derived from its status and polarity. */
  readonly priorityOf?: (condition: Readonly<Condition>) => MergePriority;
  /** Whether the merged condition has positive polarity. */
  readonly positive?: boolean;
  readonly reasonOf?: (groups: MergeGroups) => string;
  /** Transforms the lines of a summary. */
  readonly transform?: (lines: string[]) => string[];
}

export interface MergeResult {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

/** Returns the priority of a condition. An issue is False for positive polarity, True for negative polarity. */
export function defaultPriority(
  negativeTypes: readonly string[] = [],
): (condition: Readonly<Condition>) => MergePriority {
  const negative = new Set(negativeTypes);
  return ({ type, status }) => {
    if (status === 'Unknown') return 'unknown';
    return (status === 'True') === negative.has(type) ? 'issue' : 'info';
  };
}

/** Returns one of three reasons, depending on the worst condition. */
export function reasonByWorst(issue: string, unknown: string, info: string): (groups: MergeGroups) => string {
  return (groups) => {
    if (groups.issues.length > 0) return issue;
    return groups.unknown.length > 0 ? unknown : info;
  };
}

const genericReason = reasonByWorst('IssuesReported', 'UnknownReported', 'InfoReported');

/** Merges conditions: an issue takes precedence over unknown, and unknown over info. `types` is the order of relevance. */
export function mergeConditions(
  operation: MergeOperation,
  sources: readonly ConditionSource[],
  types: readonly string[],
  strategy: MergeStrategy = {},
): MergeResult {
  const priorityOf = strategy.priorityOf ?? defaultPriority();
  const sorted = sortByRelevance(sources, types);
  const byPriority = (desired: MergePriority): ConditionSource[] =>
    sorted.filter(({ condition }) => priorityOf(condition) === desired);
  const groups: MergeGroups = { issues: byPriority('issue'), unknown: byPriority('unknown'), info: byPriority('info') };
  const status = statusOf(groups, strategy.positive ?? true);
  const message =
    operation === 'summary'
      ? summaryMessage(sorted, status, priorityOf, strategy.transform)
      : aggregateMessage(groups, priorityOf);
  return { status, reason: (strategy.reasonOf ?? genericReason)(groups), message };
}

function statusOf(groups: MergeGroups, positive: boolean): ConditionStatus {
  if (groups.issues.length > 0) return positive ? 'False' : 'True';
  if (groups.unknown.length > 0) return 'Unknown';
  return positive ? 'True' : 'False';
}

/** Sorts by the order of `types`, then by transition time, oldest first. */
function sortByRelevance(sources: readonly ConditionSource[], types: readonly string[]): ConditionSource[] {
  const order = new Map(types.map((type, index) => [type, index]));
  return [...sources].sort((left, right) => {
    const place = (order.get(left.condition.type) ?? 0) - (order.get(right.condition.type) ?? 0);
    if (place !== 0) return place;
    const [before, after] = [left.condition.lastTransitionTime, right.condition.lastTransitionTime];
    if (before === after) return 0;
    return before < after ? -1 : 1;
  });
}

function summaryMessage(
  sources: readonly ConditionSource[],
  status: ConditionStatus,
  priorityOf: (condition: Readonly<Condition>) => MergePriority,
  transform: ((lines: string[]) => string[]) | undefined,
): string {
  const lines = sources
    .filter(({ condition }) => priorityOf(condition) !== 'info' || (status === 'True' && condition.message !== ''))
    .map(({ condition: { type, message, reason } }) =>
      message === '' ? `* ${type}: ${reason}` : `* ${type}:${indentIfMultiline(message)}`,
    );
  return (transform === undefined ? lines : transform(lines)).join('\n');
}
