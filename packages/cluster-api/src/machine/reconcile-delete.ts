import { formatTime } from '@slipway/kube';
import { done, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { finalizers, internalErrorMessage, machineReasons, reasons } from '../api/index.js';
import { failureMessage, foundObject, type ProviderState } from '../contract/index.js';
import { getV1beta1Condition, markFalse, markTrue, type V1beta1Conditioned } from '../toolkit/index.js';
import { deleteNode, whyNodeIsKept } from './delete-node.js';
import { type DeletionStep, hooksOf, planDeletion } from './deletion-plan.js';
import { drainMachine, waitForVolumes } from './leave-node.js';
import { changeMachine, changeV1beta1, type MachineScope, statusOf, reportDeleting } from './machine-scope.js';

/** Deletes a machine step by step. The Deleting condition reports what blocks it. */
export async function reconcileDelete(scope: MachineScope): Promise<Outcome> {
  reportDeleting(scope, reasons.deleting, 'Deletion started');
  const nodeKept = await askWhyNodeIsKept(scope);
  const infrastructure = foundObject(scope.infrastructure);
  const steps = planDeletion({ machine: scope.machine, infrastructure, nodeKept, nowMs: scope.nowMs });
  if (nodeKept !== undefined) scope.context.logger.debug({ reason: nodeKept }, 'Keeping the Node');
  markHooksPassed(scope, steps, nodeKept === undefined);
  for (const step of steps) {
    const outcome = await runStep[step](scope);
    if (outcome !== undefined) return outcome;
  }
  reportDeleting(scope, reasons.deletionCompleted, 'Deletion completed');
  changeMachine(scope, (draft) => removeFinalizer(draft.metadata, finalizers.machine));
  return done();
}

async function askWhyNodeIsKept(scope: MachineScope): Promise<string | undefined> {
  try {
    return await whyNodeIsKept(scope);
  } catch (error) {
    reportDeleting(scope, reasons.internalError, failureMessage(error));
    throw error;
  }
}

/** A deletion step. Returns undefined when it is complete. */
type Step = (scope: MachineScope) => Promise<Outcome | undefined>;

const runStep: Readonly<Record<DeletionStep, Step>> = {
  waitForPreDrainHooks: (scope) => waitForHooks(scope, 'preDrain'),
  drain: drainMachine,
  waitForVolumes,
  waitForPreTerminateHooks: (scope) => waitForHooks(scope, 'preTerminate'),
  deleteInfrastructure: (scope) =>
    deletePart(scope, {
      state: scope.infrastructure,
      kind: scope.machine.spec.infrastructureRef.kind,
      reason: machineReasons.waitingForInfrastructureDeletion,
      v1beta1: 'InfrastructureReady',
    }),
  deleteBootstrap: (scope) =>
    deletePart(scope, {
      state: scope.bootstrap,
      kind: scope.machine.spec.bootstrap.configRef?.kind ?? '',
      reason: machineReasons.waitingForBootstrapDeletion,
      v1beta1: 'BootstrapReady',
    }),
  deleteNode,
};

const hookSteps = {
  preDrain: {
    text: 'pre-drain',
    reason: machineReasons.waitingForPreDrainHook,
    time: 'waitForPreDrainHookStartTime',
    v1beta1: 'PreDrainDeleteHookSucceeded',
  },
  preTerminate: {
    text: 'pre-terminate',
    reason: machineReasons.waitingForPreTerminateHook,
    time: 'waitForPreTerminateHookStartTime',
    v1beta1: 'PreTerminateDeleteHookSucceeded',
  },
} as const;

/** Waits for the annotations of a hook to be removed. The removal triggers the next reconcile. */
function waitForHooks(scope: MachineScope, step: keyof typeof hookSteps): Promise<Outcome> {
  const { text, reason, time, v1beta1 } = hookSteps[step];
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    status.deletion = { [time]: formatTime(scope.nowMs), ...status.deletion };
  });
  const cause = { reason: 'WaitingExternalHook', severity: 'Info', message: '' } as const;
  changeV1beta1(scope, (target) => markFalse(target, v1beta1, cause, scope.nowMs));
  const message = `Waiting for ${text} hooks to succeed (hooks: ${hooksOf(scope.machine, step).join(',')})`;
  reportDeleting(scope, reason, message);
  return Promise.resolve(wait({ reason, message }));
}

/** Sets the conditions of hooks whose step the deletion has passed. */
function markHooksPassed(scope: MachineScope, steps: readonly DeletionStep[], withNode: boolean): void {
  const isWaiting = (step: DeletionStep): boolean => steps.includes(step);
  changeV1beta1(scope, (target) => {
    if (withNode && !isWaiting('waitForPreDrainHooks')) markTrue(target, hookSteps.preDrain.v1beta1, scope.nowMs);
    const reported = getV1beta1Condition(target as V1beta1Conditioned, hookSteps.preTerminate.v1beta1);
    const isReached = reported !== undefined || steps[0] === 'deleteInfrastructure';
    if (isReached && !isWaiting('waitForPreTerminateHooks'))
      markTrue(target, hookSteps.preTerminate.v1beta1, scope.nowMs);
  });
}

interface Part {
  readonly state: ProviderState;
  readonly kind: string;
  readonly reason: string;
  readonly v1beta1: 'InfrastructureReady' | 'BootstrapReady';
}

async function deletePart(scope: MachineScope, part: Part): Promise<Outcome | undefined> {
  const { state, kind, reason } = part;
  if (state.type === 'missing') return partGone(scope, part);
  if (state.type === 'failed') {
    // Reading the object failed and is retried. The object may still exist.
    const cause = failureMessage(state.error);
    const message =
      cause === internalErrorMessage ? `Failed to delete ${kind}, please check controller logs for errors` : cause;
    reportDeleting(scope, reasons.internalError, message);
    return wait({ reason: reasons.internalError, message });
  }
  const { namespace = '', name = '', deletionTimestamp } = state.object.metadata;
  if (typeof deletionTimestamp !== 'string') {
    reportDeleting(scope, reasons.internalError, `Failed to delete ${kind}, please check controller logs for errors`);
    const left = await scope.context.change({
      verb: 'delete',
      resource: state.kind.resource,
      key: { namespace, name },
      reason: 'MachineDeleted',
      message: `Deleted ${kind} ${name} because Machine ${scope.machine.metadata.name ?? ''} is being deleted`,
    });
    if (left === undefined) return partGone(scope, part);
  }
  const message = `Waiting for ${kind} to be deleted`;
  reportDeleting(scope, reason, message);
  return wait({ reason, message });
}

function partGone(scope: MachineScope, part: Part): undefined {
  const cause = { reason: 'Deleted', severity: 'Info', message: '' } as const;
  changeV1beta1(scope, (target) => markFalse(target, part.v1beta1, cause, scope.nowMs));
  return undefined;
}
