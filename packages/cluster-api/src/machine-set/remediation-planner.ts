import { type Frozen, scaleIntOrPercent } from '@slipway/kube';
import { conditionReason, hasCondition, isConditionTrue, type NewCondition } from '@slipway/runtime';
import { remediationReasons, revisionAnnotations } from '../api/index.js';
import type { MachineDeployment } from '../api/index.js';
import {
  compareAges,
  isDeleting,
  isMarkedForRemediation,
  isOwnerToRemediate,
  nameOf,
  type ObservedMachine,
} from '../machines/index.js';
import type { ObservedMachineSet } from './replica-plan.js';
import { preflightRetryMs } from './replica-planner.js';

export interface RemediationInput {
  readonly machineSet: ObservedMachineSet;
  readonly machines: readonly ObservedMachine[];
  /** The deployment that controls the set, if one does. */
  readonly deployment: Frozen<MachineDeployment> | undefined;
  readonly preflightFailures: readonly string[];
}

export type RemediationChange =
  | {
      readonly verb: 'patch';
      readonly name: string;
      /** Set on the machine; for a machine that is deleted as well, before that. */
      readonly condition: NewCondition;
      readonly reason: string;
      readonly message: string;
    }
  | { readonly verb: 'delete'; readonly name: string; readonly reason: 'Remediating'; readonly message: string }
  /** The machine is healthy again: what was noted of its remediation no longer holds. */
  | { readonly verb: 'clear'; readonly name: string; readonly reason: 'HealthyAgain'; readonly message: string };

export interface RemediationPlan {
  readonly changes: readonly RemediationChange[];
  readonly requeueAfterMs: number | undefined;
}

/** Which unhealthy machines the set deletes, so that new ones take their place, and what it says about the others. */
export function planRemediation(input: RemediationInput): RemediationPlan {
  const cleared = input.machines.filter(isHealthyAgain).map(clearOf);
  const candidates = input.machines
    .filter((machine) => isOwnerToRemediate(machine) && !isDeleting(machine))
    .sort(compareUrgency);
  if (candidates.length === 0) return { changes: cleared, requeueAfterMs: undefined };
  if (!isCurrentRevision(input)) {
    const patches = candidates.map((machine) =>
      patchOf(
        machine,
        remediationReasons.cannotBeRemediated,
        "Machine won't be remediated because it is pending removal due to rollout",
      ),
    );
    return { changes: [...cleared, ...patches], requeueAfterMs: undefined };
  }
  const allowed = remediationsLeft(input);
  const limit = String(input.deployment?.spec.remediation?.maxInFlight ?? '');
  const deferred = candidates
    .slice(allowed)
    .map((machine) =>
      patchOf(
        machine,
        remediationReasons.remediationDeferred,
        `Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is ${limit})`,
      ),
    );
  const chosen = planChosen(candidates.slice(0, allowed), input.preflightFailures);
  return { changes: [...cleared, ...deferred, ...chosen.changes], requeueAfterMs: chosen.requeueAfterMs };
}

/** What a user asked for first, then the newest: those most likely never came up and carry no work. */
function compareUrgency(left: ObservedMachine, right: ObservedMachine): number {
  const marked = Number(isMarkedForRemediation(right)) - Number(isMarkedForRemediation(left));
  return marked || -compareAges(left, right);
}

function isHealthyAgain(machine: ObservedMachine): boolean {
  return (
    isConditionTrue(machine, 'HealthCheckSucceeded') && hasCondition(machine, 'OwnerRemediated') && !isDeleting(machine)
  );
}

function clearOf(machine: ObservedMachine): RemediationChange {
  const message = 'the health check succeeds again';
  return { verb: 'clear', name: nameOf(machine), reason: 'HealthyAgain', message };
}

/** Machines of older revisions are replaced anyway. */
function isCurrentRevision({ deployment, machineSet }: RemediationInput): boolean {
  const revisionOf = (object: { readonly metadata: ObservedMachineSet['metadata'] }): string | undefined =>
    object.metadata.annotations?.[revisionAnnotations.revision];
  return deployment === undefined || revisionOf(deployment) === revisionOf(machineSet);
}

function remediationsLeft({ deployment, machines }: RemediationInput): number {
  const maxInFlight = deployment?.spec.remediation?.maxInFlight;
  if (maxInFlight === undefined) return machines.length;
  const inFlight = machines.filter(
    (machine) =>
      isDeleting(machine) && conditionReason(machine, 'OwnerRemediated') === remediationReasons.machineDeleting,
  );
  return Math.max(scaleIntOrPercent(maxInFlight, deployment?.spec.replicas ?? 1, 'up') - inFlight.length, 0);
}

function planChosen(machines: readonly ObservedMachine[], preflightFailures: readonly string[]): RemediationPlan {
  if (machines.length === 0) return { changes: [], requeueAfterMs: undefined };
  if (preflightFailures.length > 0) {
    const message = preflightFailures.map((failure) => `* ${failure}`).join('\n');
    const changes = machines.map((machine) => patchOf(machine, remediationReasons.remediationDeferred, message));
    return { changes, requeueAfterMs: preflightRetryMs };
  }
  // The condition stands before the deletion begins, or a machine that goes quickly would never have said why.
  const changes = machines.flatMap((machine): RemediationChange[] => [
    patchOf(machine, remediationReasons.machineDeleting, 'Machine is deleting'),
    { verb: 'delete', name: nameOf(machine), reason: 'Remediating', message: 'the machine failed its health check' },
  ]);
  return { changes, requeueAfterMs: undefined };
}

function patchOf(machine: ObservedMachine, reason: string, message: string): RemediationChange {
  const condition: NewCondition = { type: 'OwnerRemediated', status: 'False', reason, message };
  return { verb: 'patch', name: nameOf(machine), condition, reason, message };
}
