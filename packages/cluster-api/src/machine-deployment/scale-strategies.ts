import { revisionAnnotations } from '../api/index.js';
import { createdMs } from '../machines/index.js';
import {
  countsOf,
  machinesAtMost,
  type ObservedMachineSet,
  type RolloutLimits,
  ScaleDraft,
  type SetCounts,
  sumOf,
} from './rollout-plan.js';

interface SetsToScale {
  readonly current: SetCounts;
  /** Oldest first. */
  readonly old: readonly SetCounts[];
}

/** Plans one step of a rolling update: the new MachineSet grows within maxSurge, old ones shrink within maxUnavailable. */
export function scaleRollingUpdate(sets: SetsToScale, limits: RolloutLimits): ScaleDraft {
  const draft = new ScaleDraft();
  scaleNewSet(sets, limits, draft);
  scaleOldSets(sets, limits, draft);
  breakDeadlock(sets, draft);
  return draft;
}

function scaleNewSet({ current, old }: SetsToScale, { replicas, maxSurge }: RolloutLimits, draft: ScaleDraft): void {
  if (current.desired > replicas) {
    // When the user lowers spec.replicas, the new MachineSet shrinks even if that makes machines unavailable.
    draft.scale(current, replicas, 'ScaledDown', `spec.replicas of the MachineDeployment is ${replicas}`);
    return;
  }
  const room = replicas + maxSurge - machinesAtMost([...old, current]);
  const growth = Math.min(room, replicas - current.desired);
  if (growth <= 0) return;
  const rolling = old.some(({ desired, existing }) => desired > 0 || existing > 0);
  const message = rolling
    ? `up to ${replicas + maxSurge} machines may exist (replicas ${replicas}, maxSurge ${maxSurge})`
    : `spec.replicas of the MachineDeployment is ${replicas}`;
  draft.scale(current, current.desired + growth, rolling ? 'RolloutSurge' : 'ScaledUp', message);
}

/** Limits on what this step may still remove from old MachineSets. */
interface Budget {
  /** Number of replicas that may still be removed. */
  left: number;
  /** Number of machines that stay available, if each deletion removes an available machine as long as its MachineSet has any. */
  available: number;
  readonly minAvailable: number;
}

function scaleOldSets({ current, old }: SetsToScale, { minAvailable }: RolloutLimits, draft: ScaleDraft): void {
  if (sumOf(old, ({ desired }) => desired) === 0) return;
  const all = [...old, current];
  const deletingOf = (set: SetCounts): number =>
    Math.max(set.existing - Math.min(set.desired, draft.desiredOf(set)), 0);
  const deleting = sumOf(all, deletingOf);
  const newUnavailable = Math.max(current.desired - current.available, 0);
  const budget: Budget = {
    left: sumOf(all, ({ desired }) => desired) - deleting - minAvailable - newUnavailable,
    available: sumOf(all, (set) => set.available - Math.min(set.available, deletingOf(set))),
    minAvailable,
  };
  for (const set of old) takeUnavailable(set, budget, draft);
  for (const set of old) takeAny(set, budget, draft);
}

/** Removes replicas of unavailable machines first: that does not reduce availability. */
function takeUnavailable(set: SetCounts, budget: Budget, draft: ScaleDraft): void {
  const cut = cutOf(set, Math.max(draft.desiredOf(set) - set.available, 0), budget, draft);
  if (cut > 0)
    draft.scale(set, draft.desiredOf(set) - cut, 'ReplacingUnavailable', 'unavailable machines are replaced first');
}

function takeAny(set: SetCounts, budget: Budget, draft: ScaleDraft): void {
  const cut = cutOf(set, draft.desiredOf(set), budget, draft);
  const message = `at least ${budget.minAvailable} machines stay available`;
  if (cut > 0) draft.scale(set, draft.desiredOf(set) - cut, 'ReplacedByNew', message);
}

/**
 * Returns how many replicas the MachineSet loses, at most `limit`. The MachineSet controller chooses which machines to delete, so
 * this assumes that it deletes available ones.
 */
function cutOf(set: SetCounts, limit: number, budget: Budget, draft: ScaleDraft): number {
  const desired = draft.desiredOf(set);
  const cut = Math.min(limit, budget.left);
  if (cut <= 0) return 0;
  const deleting = Math.max(set.existing - desired, 0);
  const availableLeft = Math.max(set.available - deleting, 0);
  // Replicas that have no machine yet can be removed without a deletion.
  const deletions = Math.max(set.existing - (desired - cut), 0) - deleting;
  const spare = Math.max(budget.available - budget.minAvailable, 0);
  const allowed = availableLeft > 0 ? Math.min(deletions, spare) : deletions;
  const safeCut = cut - (deletions - allowed);
  budget.available -= Math.min(allowed, availableLeft);
  budget.left -= safeCut;
  return safeCut;
}

/**
 * Removes one replica of an old MachineSet with an unavailable machine if no other step is possible. Otherwise the worst-case
 * assumption could block the rollout forever: such a machine is neither remediated nor counted as available. The MachineSet
 * controller most likely deletes the unavailable machine.
 */
function breakDeadlock({ current, old }: SetsToScale, draft: ScaleDraft): void {
  const moving = [...old, current].some(({ desired, existing }) => desired !== existing);
  if (moving || !draft.isEmpty || current.available !== current.existing) return;
  const stuck = old.find(({ desired, existing, available }) => desired > 0 && available < existing);
  if (stuck === undefined) return;
  draft.scale(
    stuck,
    stuck.desired - 1,
    'UnblockingRollout',
    'unavailable machines of this MachineSet block the rollout',
  );
}

/** Plans one step of an OnDelete rollout: the new MachineSet replaces the machines that the user deleted. */
export function scaleOnDelete(sets: SetsToScale, limits: RolloutLimits): ScaleDraft {
  const draft = new ScaleDraft();
  replaceDeleted(sets, limits, draft);
  shrinkByDeleted(sets, limits, draft);
  return draft;
}

function replaceDeleted({ current, old }: SetsToScale, { replicas }: RolloutLimits, draft: ScaleDraft): void {
  if (current.desired > replicas) {
    draft.scale(current, replicas, 'ScaledDown', `spec.replicas of the MachineDeployment is ${replicas}`);
    return;
  }
  const missing = replicas - machinesAtMost([...old, current]);
  if (missing > 0)
    draft.scale(current, current.desired + missing, 'ScaledUp', `${missing} of ${replicas} replicas have no machine`);
}

function shrinkByDeleted({ current, old }: SetsToScale, { replicas }: RolloutLimits, draft: ScaleDraft): void {
  let surplus = sumOf(old, ({ desired }) => desired) + draft.desiredOf(current) - replicas;
  for (const set of old) {
    const gone = set.desired - set.existing;
    if (gone <= 0) continue;
    // Without this, the old MachineSet would recreate the deleted machines from the old template.
    draft.scale(set, set.existing, 'MachinesDeletedByUser', 'its deleted machines are replaced by new ones');
    surplus -= gone;
  }
  for (const set of old) {
    const cut = Math.min(draft.desiredOf(set), surplus);
    if (cut <= 0) continue;
    const message = `spec.replicas of the MachineDeployment is ${replicas}`;
    draft.scale(set, draft.desiredOf(set) - cut, 'ScaledDown', message);
    surplus -= cut;
  }
}

const pausedMessage = 'the rollout is paused; only changes of replicas are applied';

/** Plans the scaling of a paused deployment, which does not roll out but still follows spec.replicas. */
export function scalePaused(
  current: ObservedMachineSet | undefined,
  old: readonly ObservedMachineSet[],
  limits: RolloutLimits,
): ScaleDraft {
  const draft = new ScaleDraft();
  const all = current === undefined ? [...old] : [...old, current];
  const active = all.filter((set) => countsOf(set).desired > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? old.at(-1));
  if (only !== undefined) scaleTo(only, limits.replicas, draft);
  else if (current !== undefined && isSaturated(current, limits)) for (const set of old) scaleTo(set, 0, draft);
  else scaleInProportion(active, limits, draft);
  return draft;
}

function scaleTo(set: ObservedMachineSet, to: number, draft: ScaleDraft): void {
  const counts = countsOf(set);
  if (counts.desired !== to) draft.scale(counts, to, 'ScaledWhilePaused', pausedMessage);
}

/** Whether the new MachineSet has all desired replicas available. Old MachineSets are ignored: they are still being scaled down. */
function isSaturated(set: ObservedMachineSet, { replicas }: RolloutLimits): boolean {
  const { desired, available } = countsOf(set);
  const annotated = set.metadata.annotations?.[revisionAnnotations.desiredReplicas];
  return desired === replicas && available === replicas && annotated === String(replicas);
}

function scaleInProportion(active: readonly ObservedMachineSet[], limits: RolloutLimits, draft: ScaleDraft): void {
  const size = limits.replicas > 0 ? limits.replicas + limits.maxSurge : 0;
  const change = size - sumOf(active, (set) => countsOf(set).desired);
  if (change === 0) return;
  const bySize = [...active].sort((left, right) => compareSizes(left, right, change > 0));
  let left = change;
  const sizes = bySize.map((set) => {
    const { desired } = countsOf(set);
    const share = shareOf(set, size, active);
    const taken = change > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
    left -= taken;
    return desired + taken;
  });
  // The rounding remainder goes to the largest MachineSet.
  if (sizes[0] !== undefined) sizes[0] = Math.max(sizes[0] + left, 0);
  bySize.forEach((set, index) => scaleTo(set, sizes[index] ?? 0, draft));
}

/** Returns the change of replicas that keeps the proportions between the MachineSets. */
function shareOf(set: ObservedMachineSet, size: number, active: readonly ObservedMachineSet[]): number {
  const { desired } = countsOf(set);
  if (size === 0) return -desired;
  const annotated = Number(set.metadata.annotations?.[revisionAnnotations.maxReplicas] ?? '');
  const before =
    Number.isInteger(annotated) && annotated > 0 ? annotated : sumOf(active, (one) => countsOf(one).existing);
  return before === 0 ? 0 : Math.round((desired * size) / before) - desired;
}

/** Compares by size, largest first. Of equally large MachineSets the newest grows first and the oldest shrinks first. */
function compareSizes(left: ObservedMachineSet, right: ObservedMachineSet, growing: boolean): number {
  const bySize = countsOf(right).desired - countsOf(left).desired;
  if (bySize !== 0) return bySize;
  const byAge = createdMs(left) - createdMs(right);
  return growing ? -byAge : byAge;
}
