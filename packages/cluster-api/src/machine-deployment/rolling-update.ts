import type { RolloutLimits } from './rollout-limits.js';
import { ScaleDraft } from './scale-draft.js';
import { machinesAtMost, type SetCounts, sumOf } from './set-counts.js';

export interface SetsToScale {
  readonly current: SetCounts;
  /** Oldest first. */
  readonly old: readonly SetCounts[];
}

/** One pass of a rolling update: the new set grows as far as surge allows, old ones shrink as far as availability does. */
export function scaleRollingUpdate(sets: SetsToScale, limits: RolloutLimits): ScaleDraft {
  const draft = new ScaleDraft();
  scaleNewSet(sets, limits, draft);
  scaleOldSets(sets, limits, draft);
  breakDeadlock(sets, draft);
  return draft;
}

function scaleNewSet({ current, old }: SetsToScale, { replicas, maxSurge }: RolloutLimits, draft: ScaleDraft): void {
  if (current.wanted > replicas) {
    // A user who scales down accepts fewer machines: availability is not looked at here.
    draft.scale(current, replicas, 'ScaledDown', `the MachineDeployment wants ${replicas} replicas`);
    return;
  }
  const room = replicas + maxSurge - machinesAtMost([...old, current]);
  const growth = Math.min(room, replicas - current.wanted);
  if (growth <= 0) return;
  const rolling = old.some(({ wanted, existing }) => wanted > 0 || existing > 0);
  const message = rolling
    ? `up to ${replicas + maxSurge} machines may exist (replicas ${replicas}, maxSurge ${maxSurge})`
    : `the MachineDeployment wants ${replicas} replicas`;
  draft.scale(current, current.wanted + growth, rolling ? 'RolloutSurge' : 'ScaledUp', message);
}

/** What may still be taken from old sets in this pass. */
interface Budget {
  /** Replicas. */
  left: number;
  /** Machines that stay available, supposing that each deletion hits an available one as long as its set has any. */
  available: number;
  readonly minAvailable: number;
}

function scaleOldSets({ current, old }: SetsToScale, { minAvailable }: RolloutLimits, draft: ScaleDraft): void {
  if (sumOf(old, ({ wanted }) => wanted) === 0) return;
  const all = [...old, current];
  const goingOf = (set: SetCounts): number => Math.max(set.existing - Math.min(set.wanted, draft.wantedOf(set)), 0);
  const going = sumOf(all, goingOf);
  const newUnavailable = Math.max(current.wanted - current.available, 0);
  const budget: Budget = {
    left: sumOf(all, ({ wanted }) => wanted) - going - minAvailable - newUnavailable,
    available: sumOf(all, (set) => set.available - Math.min(set.available, goingOf(set))),
    minAvailable,
  };
  for (const set of old) takeUnavailable(set, budget, draft);
  for (const set of old) takeAny(set, budget, draft);
}

/** Machines that do no work go first: they cost nothing and make room. */
function takeUnavailable(set: SetCounts, budget: Budget, draft: ScaleDraft): void {
  const cut = cutOf(set, Math.max(draft.wantedOf(set) - set.available, 0), budget, draft);
  if (cut > 0) draft.scale(set, draft.wantedOf(set) - cut, 'ReplacingUnavailable', 'its unavailable machines go first');
}

function takeAny(set: SetCounts, budget: Budget, draft: ScaleDraft): void {
  const cut = cutOf(set, draft.wantedOf(set), budget, draft);
  const message = `at least ${budget.minAvailable} machines stay available`;
  if (cut > 0) draft.scale(set, draft.wantedOf(set) - cut, 'ReplacedByNew', message);
}

/**
 * How much the set shrinks, at most `limit`. Which machines go is decided by the MachineSet: nothing says that they will
 * be the unavailable ones, so that the worst is supposed.
 */
function cutOf(set: SetCounts, limit: number, budget: Budget, draft: ScaleDraft): number {
  const wanted = draft.wantedOf(set);
  const cut = Math.min(limit, budget.left);
  if (cut <= 0) return 0;
  const going = Math.max(set.existing - wanted, 0);
  const availableLeft = Math.max(set.available - going, 0);
  // Replicas that no machine exists for can be given up freely.
  const deletions = Math.max(set.existing - (wanted - cut), 0) - going;
  const spare = Math.max(budget.available - budget.minAvailable, 0);
  const allowed = availableLeft > 0 ? Math.min(deletions, spare) : deletions;
  const safeCut = cut - (deletions - allowed);
  budget.available -= Math.min(allowed, availableLeft);
  budget.left -= safeCut;
  return safeCut;
}

/**
 * Supposing the worst can stop a rollout for good: an unavailable machine of an old set is neither remediated nor counted
 * upon. When nothing else moves, one such set gives up one replica, which most likely is the machine that does no work.
 */
function breakDeadlock({ current, old }: SetsToScale, draft: ScaleDraft): void {
  const moving = [...old, current].some(({ wanted, existing }) => wanted !== existing);
  if (moving || !draft.isEmpty || current.available !== current.existing) return;
  const stuck = old.find(({ wanted, existing, available }) => wanted > 0 && available < existing);
  if (stuck === undefined) return;
  draft.scale(
    stuck,
    stuck.wanted - 1,
    'UnblockingRollout',
    'unavailable machines of this set keep the rollout from going on',
  );
}
