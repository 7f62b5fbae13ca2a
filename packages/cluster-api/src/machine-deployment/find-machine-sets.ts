import { parseTime } from '@slipway/kube';
import { compareAges, createdMs, isDeleting, passedRolloutAfterMs, rolloutDifferences } from '../machines/index.js';
import type { CreateReason, ObservedDeployment, ObservedMachineSet } from './rollout-plan.js';

export interface MachineSetsOfDeployment {
  /** The set whose machines are as wanted. */
  readonly current: ObservedMachineSet | undefined;
  /** All others, oldest first. */
  readonly old: readonly ObservedMachineSet[];
  /** Why there is no current set. */
  readonly missing: { readonly reason: CreateReason; readonly message: string } | undefined;
}

/** Which of the sets has the wanted template, and why none does. */
export function findMachineSets(
  deployment: ObservedDeployment,
  sets: readonly ObservedMachineSet[],
  nowMs: number,
): MachineSetsOfDeployment {
  const rest = (current?: ObservedMachineSet): ObservedMachineSet[] =>
    sets.filter((set) => set !== current).sort(compareAges);
  // Of several with the same template the largest goes on: the fewest machines are replaced.
  const candidates = sets
    .filter((set) => !isDeleting(set))
    .sort((left, right) => (right.spec.replicas ?? 0) - (left.spec.replicas ?? 0) || compareAges(left, right));
  const afterMs = passedRolloutAfterMs(deployment, nowMs);
  const matching = candidates.filter(
    (set) => rolloutDifferences(set.spec.template, deployment.spec.template).length === 0,
  );
  const current = matching.find((set) => afterMs === undefined || createdMs(set) >= afterMs);
  if (current !== undefined) return { current, old: rest(current), missing: undefined };
  return { current, old: rest(), missing: whyMissing(deployment, candidates, matching.length > 0) };
}

function whyMissing(
  deployment: ObservedDeployment,
  candidates: readonly ObservedMachineSet[],
  expired: boolean,
): MachineSetsOfDeployment['missing'] {
  const newest = [...candidates].sort(compareAges).at(-1);
  if (newest === undefined) return { reason: 'NoMachineSet', message: 'the MachineDeployment has no MachineSet' };
  if (expired)
    return {
      reason: 'RolloutAfterPassed',
      message: `spec.rollout.after ${deployment.spec.rollout?.after} has passed; every MachineSet is older`,
    };
  const differences = rolloutDifferences(newest.spec.template, deployment.spec.template);
  const list = differences.map((line) => line.replace(/^\* /, '')).join(', ');
  return { reason: 'TemplateChanged', message: `no MachineSet has the template of the MachineDeployment: ${list}` };
}

/** How long until `rollout.after` passes; undefined when there is nothing to wait for. */
export function rolloutAfterInMs(deployment: ObservedDeployment, nowMs: number): number | undefined {
  const after = deployment.spec.rollout?.after;
  const leftMs = after === undefined ? 0 : parseTime(after) - nowMs;
  return leftMs > 0 ? leftMs : undefined;
}
