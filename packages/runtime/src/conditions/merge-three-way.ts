import { deepEqual } from '@slipway/kube';

interface AnyCondition {
  readonly type: string;
}

export interface ThreeWayOptions<T> {
  /** Condition types that the caller owns: its values win. For all other types, a change by another writer is a conflict. */
  readonly owned: readonly string[] | 'all';
  readonly compare: (left: T, right: T) => number;
}

/** Another writer changed a condition that the caller changed too but does not own. */
export class ConditionConflictError extends Error {
  readonly conditionType: string;

  constructor(conditionType: string, change: 'modified' | 'deleted') {
    super(`condition ${conditionType} was ${change} by another process, and this controller does not own its type`);
    this.name = 'ConditionConflictError';
    this.conditionType = conditionType;
  }
}

/**
 * Applies the difference between `before` and `after` to `latest`. Conditions that the caller did not change keep their
 * latest value.
 */
export function mergeConditionLists<T extends AnyCondition>(
  before: readonly T[],
  after: readonly T[],
  latest: readonly T[],
  options: ThreeWayOptions<T>,
): T[] {
  const merged = new Map(latest.map((condition) => [condition.type, condition]));
  const wasBefore = new Map(before.map((condition) => [condition.type, condition]));
  const isAfter = new Map(after.map((condition) => [condition.type, condition]));
  for (const type of new Set([...wasBefore.keys(), ...isAfter.keys()])) {
    const [was, desired] = [wasBefore.get(type), isAfter.get(type)];
    if (deepEqual(was, desired)) continue;
    const owned = options.owned === 'all' || options.owned.includes(type);
    if (!owned) refuseConflict(type, was, desired, merged.get(type));
    if (desired === undefined) merged.delete(type);
    else if (owned || !sameState(merged.get(type), desired)) merged.set(type, desired);
  }
  return [...merged.values()].sort(options.compare);
}

function refuseConflict<T extends AnyCondition>(
  type: string,
  was: T | undefined,
  desired: T | undefined,
  current: T | undefined,
): void {
  if (deepEqual(current, was) || sameState(current, desired)) return;
  throw new ConditionConflictError(type, current === undefined ? 'deleted' : 'modified');
}

/**
 * Returns whether two conditions are equal except for the transition time. If another writer made the same change, its time is
 * kept.
 */
function sameState(left: AnyCondition | undefined, right: AnyCondition | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return deepEqual({ ...left, lastTransitionTime: '' }, { ...right, lastTransitionTime: '' });
}
