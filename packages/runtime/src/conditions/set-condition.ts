import { formatTime, parseTime } from '@slipway/kube';
import type { Condition, NewCondition } from './condition.js';
import { compareConditions } from './condition-order.js';

/** A draft that conditions can be set on. */
export interface ConditionTarget {
  metadata: { generation?: number };
  status?: { conditions?: Condition[] };
}

/**
 * Sets a condition on a draft. The transition time changes only with the status; observedGeneration is always the object's
 * generation; the list stays sorted.
 */
export function setCondition(target: ConditionTarget, condition: NewCondition, nowMs: number): void {
  target.status ??= {};
  target.status.conditions = withCondition(
    target.status.conditions ?? [],
    completeCondition(condition, nowMs, target.metadata.generation),
  );
}

export function deleteCondition(target: ConditionTarget, type: string): void {
  const conditions = target.status?.conditions;
  if (target.status === undefined || conditions?.some((condition) => condition.type === type) !== true) return;
  target.status.conditions = conditions.filter((condition) => condition.type !== type);
}

/**
 * Adds the transition time and generation to a condition. Times are whole seconds: the server truncates them, and an unchanged
 * condition must not look changed.
 */
export function completeCondition(condition: NewCondition, nowMs: number, generation: number | undefined): Condition {
  const { lastTransitionTime } = condition;
  return {
    type: condition.type,
    status: condition.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: formatTime(lastTransitionTime === undefined ? nowMs : parseTime(lastTransitionTime)),
    reason: condition.reason,
    message: condition.message ?? '',
  };
}

/** Returns the list with the condition in it. A condition with the same status keeps its transition time. */
function withCondition(conditions: readonly Readonly<Condition>[], condition: Condition): Condition[] {
  const existing = conditions.find((candidate) => candidate.type === condition.type);
  const next = keepingTime(condition, existing);
  const others = conditions.filter((candidate) => candidate.type !== condition.type);
  return [...others, next].sort(compareConditions);
}

export function keepingTime(condition: Condition, existing: Readonly<Condition> | undefined): Condition {
  if (existing === undefined || existing.status !== condition.status) return condition;
  return { ...condition, lastTransitionTime: existing.lastTransitionTime };
}
