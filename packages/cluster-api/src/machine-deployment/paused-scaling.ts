import { revisionAnnotations } from '../api/index.js';
import { createdMs } from '../machines/index.js';
import type { RolloutLimits } from './rollout-limits.js';
import type { ObservedMachineSet } from './rollout-plan.js';
import { ScaleDraft } from './scale-draft.js';
import { countsOf, sumOf } from './set-counts.js';

const message = 'the rollout is paused; only the number of replicas is followed';

/** A paused deployment rolls nothing out, but it still follows its replicas. */
export function scalePaused(
  current: ObservedMachineSet | undefined,
  old: readonly ObservedMachineSet[],
  limits: RolloutLimits,
): ScaleDraft {
  const draft = new ScaleDraft();
  const all = current === undefined ? [...old] : [...old, current];
  const active = all.filter((set) => countsOf(set).wanted > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? old.at(-1));
  if (only !== undefined) scaleTo(only, limits.replicas, draft);
  else if (current !== undefined && isSaturated(current, limits)) for (const set of old) scaleTo(set, 0, draft);
  else scaleInProportion(active, limits, draft);
  return draft;
}

function scaleTo(set: ObservedMachineSet, to: number, draft: ScaleDraft): void {
  const counts = countsOf(set);
  if (counts.wanted !== to) draft.scale(counts, to, 'ScaledWhilePaused', message);
}

/** The new set alone is what is wanted; the old ones are only still to be emptied. */
function isSaturated(set: ObservedMachineSet, { replicas }: RolloutLimits): boolean {
  const { wanted, available } = countsOf(set);
  const desired = set.metadata.annotations?.[revisionAnnotations.desiredReplicas];
  return wanted === replicas && available === replicas && desired === String(replicas);
}

function scaleInProportion(active: readonly ObservedMachineSet[], limits: RolloutLimits, draft: ScaleDraft): void {
  const size = limits.replicas > 0 ? limits.replicas + limits.maxSurge : 0;
  const change = size - sumOf(active, (set) => countsOf(set).wanted);
  if (change === 0) return;
  const bySize = [...active].sort((left, right) => compareSizes(left, right, change > 0));
  let left = change;
  const sizes = bySize.map((set) => {
    const { wanted } = countsOf(set);
    const share = shareOf(set, size, active);
    const taken = change > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
    left -= taken;
    return wanted + taken;
  });
  // What rounding leaves over goes to the largest set.
  if (sizes[0] !== undefined) sizes[0] = Math.max(sizes[0] + left, 0);
  bySize.forEach((set, index) => scaleTo(set, sizes[index] ?? 0, draft));
}

/** How much the set changes when all sets keep their share of the deployment. */
function shareOf(set: ObservedMachineSet, size: number, active: readonly ObservedMachineSet[]): number {
  const { wanted } = countsOf(set);
  if (size === 0) return -wanted;
  const annotated = Number(set.metadata.annotations?.[revisionAnnotations.maxReplicas] ?? '');
  const before =
    Number.isInteger(annotated) && annotated > 0 ? annotated : sumOf(active, (one) => countsOf(one).existing);
  return before === 0 ? 0 : Math.round((wanted * size) / before) - wanted;
}

/** Largest first. Of equal ones the newest grows first and the oldest shrinks first. */
function compareSizes(left: ObservedMachineSet, right: ObservedMachineSet, growing: boolean): number {
  const bySize = countsOf(right).wanted - countsOf(left).wanted;
  if (bySize !== 0) return bySize;
  const byAge = createdMs(left) - createdMs(right);
  return growing ? -byAge : byAge;
}
