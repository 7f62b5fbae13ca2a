import type { SetsToScale } from './rolling-update.js';
import type { RolloutLimits } from './rollout-limits.js';
import { ScaleDraft } from './scale-draft.js';
import { machinesAtMost, sumOf } from './set-counts.js';

/** One pass of a rollout that waits for the user to delete machines and replaces those. */
export function scaleOnDelete(sets: SetsToScale, limits: RolloutLimits): ScaleDraft {
  const draft = new ScaleDraft();
  scaleNewSet(sets, limits, draft);
  scaleOldSets(sets, limits, draft);
  return draft;
}

function scaleNewSet({ current, old }: SetsToScale, { replicas }: RolloutLimits, draft: ScaleDraft): void {
  if (current.wanted > replicas) {
    draft.scale(current, replicas, 'ScaledDown', `the MachineDeployment wants ${replicas} replicas`);
    return;
  }
  const missing = replicas - machinesAtMost([...old, current]);
  if (missing > 0)
    draft.scale(current, current.wanted + missing, 'ScaledUp', `${missing} of ${replicas} replicas have no machine`);
}

function scaleOldSets({ current, old }: SetsToScale, { replicas }: RolloutLimits, draft: ScaleDraft): void {
  let surplus = sumOf(old, ({ wanted }) => wanted) + draft.wantedOf(current) - replicas;
  for (const set of old) {
    const gone = set.wanted - set.existing;
    if (gone <= 0) continue;
    // Kept at its size, the set would make the deleted machines again, of the old shape.
    draft.scale(set, set.existing, 'MachinesDeletedByUser', 'its deleted machines are replaced by new ones');
    surplus -= gone;
  }
  for (const set of old) {
    const cut = Math.min(draft.wantedOf(set), surplus);
    if (cut <= 0) continue;
    const message = `the MachineDeployment wants ${replicas} replicas`;
    draft.scale(set, draft.wantedOf(set) - cut, 'ScaledDown', message);
    surplus -= cut;
  }
}
