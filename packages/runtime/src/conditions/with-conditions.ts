import type { Condition, Conditioned, NewCondition } from './condition.js';
import { compareConditions } from './condition-order.js';
import { completeCondition, keepingTime } from './set-condition.js';

/**
 * Returns the object with these conditions set by the rules of `setCondition`, or the object itself if nothing changes. For many
 * conditions this is much cheaper than `setCondition`, whose draft proxies every condition.
 */
export function withConditions<T extends Conditioned>(
  object: T,
  conditions: readonly NewCondition[],
  nowMs: number,
): T {
  const before = object.status?.conditions ?? [];
  const byType = new Map<string, Readonly<Condition>>(before.map((condition) => [condition.type, condition]));
  let changed = false;
  for (const condition of conditions) {
    const existing = byType.get(condition.type);
    const next = keepingTime(completeCondition(condition, nowMs, object.metadata.generation), existing);
    if (existing !== undefined && isSame(existing, next)) continue;
    byType.set(next.type, Object.freeze(next));
    changed = true;
  }
  if (!changed) return object;
  const sorted = Object.freeze([...byType.values()].sort(compareConditions));
  return Object.freeze({ ...object, status: Object.freeze({ ...object.status, conditions: sorted }) });
}

function isSame(left: Readonly<Condition>, right: Readonly<Condition>): boolean {
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.message === right.message &&
    left.observedGeneration === right.observedGeneration &&
    left.lastTransitionTime === right.lastTransitionTime
  );
}
