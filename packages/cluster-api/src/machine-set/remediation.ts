import { type Frozen, scaleIntOrPercent } from '@slipway/kube';
import {
  conditionReason,
  type PatchChange,
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  hasCondition,
  isConditionTrue,
  type NewCondition,
  type Outcome,
  setCondition,
  wait,
} from '@slipway/runtime';
import {
  type MachineDeployment,
  type Machine,
  machines as machineResource,
  remediationReasons,
  revisionAnnotations,
} from '../api/index.js';
import {
  compareAges,
  isDeleting,
  isMarkedForRemediation,
  isOwnerToRemediate,
  nameOf,
  type ObservedMachine,
} from '../machines/index.js';
import { markFalse, markTrue, type V1beta1Target } from '../toolkit/index.js';
import { deleteMachine, machineNamed, type MachineSetScope, replaceMachine } from './machine-set-scope.js';
import { type ObservedMachineSet, preflightRetryMs } from './replica-planner.js';

export interface RemediationInput {
  readonly machineSet: ObservedMachineSet;
  readonly machines: readonly ObservedMachine[];
  /** The MachineDeployment that controls the set, if there is one. */
  readonly deployment: Frozen<MachineDeployment> | undefined;
  readonly preflightFailures: readonly string[];
}

/** One remediation step, as printed in rollout transcripts. */
type RemediationStep =
  | {
      readonly verb: 'patch';
      readonly name: string;
      /** The condition to set on the machine before it is deleted. */
      readonly condition: NewCondition;
      readonly reason: string;
      readonly message: string;
    }
  | { readonly verb: 'delete'; readonly name: string; readonly reason: 'Remediating'; readonly message: string }
  /** Removes the remediation conditions of a machine that is healthy again. */
  | { readonly verb: 'clear'; readonly name: string; readonly reason: 'HealthyAgain'; readonly message: string };

export interface RemediationPlan {
  readonly steps: readonly RemediationStep[];
  readonly requeueAfterMs: number | undefined;
}

/** Selects the unhealthy machines to delete for replacement, and the conditions of those that must wait. */
export function planRemediation(input: RemediationInput): RemediationPlan {
  const cleared = input.machines.filter(isHealthyAgain).map(clearOf);
  const candidates = input.machines
    .filter((machine) => isOwnerToRemediate(machine) && !isDeleting(machine))
    .sort(compareUrgency);
  if (candidates.length === 0) return { steps: cleared, requeueAfterMs: undefined };
  if (!isCurrentRevision(input)) {
    const patches = candidates.map((machine) =>
      patchOf(
        machine,
        remediationReasons.cannotBeRemediated,
        "Machine won't be remediated because it is pending removal due to rollout",
      ),
    );
    return { steps: [...cleared, ...patches], requeueAfterMs: undefined };
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
  return { steps: [...cleared, ...deferred, ...chosen.steps], requeueAfterMs: chosen.requeueAfterMs };
}

/**
 * Compares by urgency: machines that a user marked for remediation first, then the newest machines, which most likely never
 * started and run no workloads.
 */
function compareUrgency(left: ObservedMachine, right: ObservedMachine): number {
  const marked = Number(isMarkedForRemediation(right)) - Number(isMarkedForRemediation(left));
  return marked || -compareAges(left, right);
}

function isHealthyAgain(machine: ObservedMachine): boolean {
  return (
    isConditionTrue(machine, 'HealthCheckSucceeded') && hasCondition(machine, 'OwnerRemediated') && !isDeleting(machine)
  );
}

function clearOf(machine: ObservedMachine): RemediationStep {
  const message = 'the health check succeeds again';
  return { verb: 'clear', name: nameOf(machine), reason: 'HealthyAgain', message };
}

/** Whether the MachineSet has the current revision. The rollout replaces the machines of older revisions anyway. */
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
  if (machines.length === 0) return { steps: [], requeueAfterMs: undefined };
  if (preflightFailures.length > 0) {
    const message = preflightFailures.map((failure) => `* ${failure}`).join('\n');
    const steps = machines.map((machine) => patchOf(machine, remediationReasons.remediationDeferred, message));
    return { steps, requeueAfterMs: preflightRetryMs };
  }
  // Set the condition before the deletion. A machine that is deleted quickly would otherwise never show the reason.
  const steps = machines.flatMap((machine): RemediationStep[] => [
    patchOf(machine, remediationReasons.machineDeleting, 'Machine is deleting'),
    { verb: 'delete', name: nameOf(machine), reason: 'Remediating', message: 'the machine failed its health check' },
  ]);
  return { steps, requeueAfterMs: undefined };
}

function patchOf(machine: ObservedMachine, reason: string, message: string): RemediationStep {
  const condition: NewCondition = { type: 'OwnerRemediated', status: 'False', reason, message };
  return { verb: 'patch', name: nameOf(machine), condition, reason, message };
}

const ownedConditions = ['OwnerRemediated'];

/** Deletes unhealthy machines, so that new ones are created in their place. */
export async function remediateMachines(scope: MachineSetScope): Promise<Outcome> {
  const { set, machines, deployment, preflightFailures } = scope;
  const plan = planRemediation({ machineSet: set, machines, deployment, preflightFailures });
  for (const planned of plan.steps) await carryOut(scope, planned);
  if (plan.requeueAfterMs === undefined) return done();
  const message = preflightFailures.join('; ');
  return wait({ ms: plan.requeueAfterMs, reason: remediationReasons.remediationDeferred, message });
}

async function carryOut(scope: MachineSetScope, planned: RemediationStep): Promise<void> {
  const machine = machineNamed(scope, planned.name);
  if (machine === undefined) return;
  const { verb, reason, message } = planned;
  if (verb === 'delete') return deleteMachine(scope, machine, { reason, message });
  const after = verb === 'clear' ? cleared(machine) : marked(scope, machine, planned);
  const change: PatchChange<Machine> = {
    verb: 'patch',
    resource: machineResource,
    before: machine,
    after,
    ownedConditions,
    reason,
    message,
  };
  replaceMachine(scope, await scope.context.change(change));
}

function cleared(machine: ObservedMachine): ObservedMachine {
  return edit(machine, (draft) => {
    deleteCondition(draft as ConditionTarget, 'OwnerRemediated');
    const deprecated = draft.status?.deprecated?.v1beta1;
    if (deprecated?.conditions !== undefined)
      deprecated.conditions = deprecated.conditions.filter(({ type }) => type !== 'OwnerRemediated');
  });
}

function marked(
  scope: MachineSetScope,
  machine: ObservedMachine,
  { condition, reason }: Extract<RemediationStep, { verb: 'patch' }>,
): ObservedMachine {
  const nowMs = scope.context.clock.now();
  return edit(machine, (draft) => {
    setCondition(draft as ConditionTarget, condition, nowMs);
    // The v1beta1 OwnerRemediated is True once the machine is being deleted. Waiting is reported only if preflight checks fail.
    if (reason === remediationReasons.machineDeleting) markTrue(draft as V1beta1Target, 'OwnerRemediated', nowMs);
    else if (reason === remediationReasons.remediationDeferred && scope.preflightFailures.length > 0) {
      const message = scope.preflightFailures.join('; ');
      const cause = { reason: remediationReasons.waitingForRemediation, severity: 'Warning', message } as const;
      markFalse(draft as V1beta1Target, 'OwnerRemediated', cause, nowMs);
    }
  });
}
