import type { Condition, Conditioned, NewCondition } from '@slipway/runtime';
import { labels } from '../../api/index.js';
import type { ConditionSource } from './aggregate-message.js';
import { defaultPriority, mergeConditions, type MergeStrategy } from './merge-strategy.js';

export const notYetReportedReason = 'NotYetReported';

export interface SummaryOptions {
  /** Condition types to summarize, in order of relevance. */
  readonly types: readonly string[];
  readonly negativeTypes?: readonly string[];
  readonly ignoreIfMissing?: readonly string[];
  /** Conditions that replace those of the object with the same type. */
  readonly overrides?: readonly Readonly<Condition>[];
  readonly strategy?: MergeStrategy;
}

export interface AggregateOptions {
  readonly targetType?: string;
  /** Whether the source condition and the result have negative polarity. */
  readonly negative?: boolean;
  readonly strategy?: MergeStrategy;
}

/** Summarizes several conditions of one object. A missing condition counts as unknown. */
export function summaryCondition(object: Conditioned, targetType: string, options: SummaryOptions): NewCondition {
  const overrides = new Map((options.overrides ?? []).map((condition) => [condition.type, condition]));
  const own = new Map((object.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const sources: ConditionSource[] = [];
  for (const type of options.types) {
    const existing = own.get(type);
    const condition = existing === undefined ? undefined : (overrides.get(type) ?? existing);
    if (condition !== undefined) sources.push(sourceOf(object, condition));
    else if (options.ignoreIfMissing?.includes(type) !== true)
      sources.push(sourceOf(object, missing(type, 'Condition not yet reported')));
  }
  if (sources.length === 0) throw new TypeError(`nothing to summarize in ${targetType}: no condition is in scope`);
  const strategy = { priorityOf: defaultPriority(options.negativeTypes), ...options.strategy };
  return { type: targetType, ...mergeConditions('summary', sources, options.types, strategy) };
}

/** Aggregates one condition of many objects. */
export function aggregateCondition(
  objects: readonly Conditioned[],
  sourceType: string,
  options: AggregateOptions = {},
): NewCondition {
  if (objects.length === 0) throw new TypeError(`nothing to aggregate in ${sourceType}: there are no objects`);
  const sources = objects.map((object) =>
    sourceOf(
      object,
      object.status?.conditions?.find(({ type }) => type === sourceType) ??
        missing(sourceType, `Condition ${sourceType} not yet reported`),
    ),
  );
  const strategy = {
    priorityOf: defaultPriority(options.negative === true ? [sourceType] : []),
    positive: options.negative !== true,
    ...options.strategy,
  };
  return { type: options.targetType ?? sourceType, ...mergeConditions('aggregate', sources, [sourceType], strategy) };
}

function missing(type: string, message: string): Condition {
  return { type, status: 'Unknown', reason: notYetReportedReason, message, lastTransitionTime: '' };
}

function sourceOf(object: Conditioned, condition: Readonly<Condition>): ConditionSource {
  const kind = object.kind ?? '';
  return {
    kind,
    name: object.metadata.name ?? '',
    isControlPlaneMachine: kind === 'Machine' && Object.hasOwn(object.metadata.labels ?? {}, labels.controlPlane),
    condition,
  };
}
