import { reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type ConditionTarget,
  done,
  edit,
  FencedError,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  pausedCondition,
  type ReconcileContext,
  releaseFinalizer,
  setCondition,
  wait,
} from '@slipway/runtime';
import { vsphereFinalizers } from '../api/index.js';
import { labelWithHost } from './host-label.js';
import { observeMachine } from './observe.js';
import { waitForPrerequisites } from './prerequisites.js';
import { providerIdOf } from './provider-id.js';
import {
  failedState,
  ownedMachineConditions,
  type ProvisionedState,
  provisionedState,
  reportMachine,
} from './report.js';
import type { CommonMachine, LeavingMachine, ObservedMachine, VmProgress, VmReady, VmService } from './vm-service.js';

const finalizer = vsphereFinalizers.vsphereMachine;

/** A machine of vSphere, whoever makes its virtual machine. */
export async function reconcileVSphereMachine<M extends CommonMachine>(
  key: ObjectKey,
  context: ReconcileContext,
  service: VmService<M>,
): Promise<Outcome> {
  const observed = observeMachine(context.sources, service.resource, key);
  if (observed === undefined) return done();
  const { vsphereMachine, machine, cluster } = observed;
  if (machine === undefined) return withoutMachine(context, service, observed);
  const opening = { finalizer, cluster, reportsPaused: true };
  if (!(await openReconcile(context, service.resource, vsphereMachine, opening))) return done();
  if (isDeleting(vsphereMachine as Frozen<CommonMachine>)) return removeMachine(context, service, observed);
  if (cluster?.spec.infrastructureRef === undefined)
    return wait({ reason: 'WaitingForCluster', message: 'the Cluster of this machine names no infrastructure yet' });
  return provisionMachine(context, service, { vsphereMachine, machine, cluster });
}

/**
 * Nobody takes the finalizer off an object that no Machine has taken over, so it gets none before; and one that lost its
 * Machine must not wait for it for ever. What was made for it goes all the same.
 */
async function withoutMachine<M extends CommonMachine>(
  context: ReconcileContext,
  service: VmService<M>,
  leaving: LeavingMachine<M>,
): Promise<Outcome> {
  if (isDeleting(leaving.vsphereMachine as Frozen<CommonMachine>)) return removeMachine(context, service, leaving);
  return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this VSphereMachine yet' });
}

async function provisionMachine<M extends CommonMachine>(
  context: ReconcileContext,
  service: VmService<M>,
  observed: ObservedMachine<M>,
): Promise<Outcome> {
  const progress: VmProgress<M> =
    waitForPrerequisites(observed, service.waitsForInfrastructure) ??
    (await service.ensure(observed, context).catch((error: unknown) => failed(error, 'VMCreationFailed')));
  if (progress.type === 'waiting') {
    await write(context, service, observed, progress, progress.apply);
    return progress.outcome;
  }
  await write(context, service, observed, provisionedState, (draft) => recordReady(draft, progress));
  if (progress.host !== undefined && progress.host !== '')
    await labelWithHost(context, observed.machine, progress.host);
  return done();
}

/** Once provisioned, a machine stays so: what happens to it later is for health checks to judge. */
function recordReady<M extends CommonMachine>(draft: Thawed<Frozen<M>>, ready: VmReady<M>): void {
  const common = draft as CommonMachine;
  common.spec.providerID = providerIdOf(ready.biosUuid);
  common.status ??= {};
  common.status.addresses = [...ready.addresses];
  common.status.initialization = { provisioned: true };
  ready.apply?.(draft);
}

async function removeMachine<M extends CommonMachine>(
  context: ReconcileContext,
  service: VmService<M>,
  leaving: LeavingMachine<M>,
): Promise<Outcome> {
  const { vsphereMachine } = leaving;
  const left = await service.remove(leaving, context).catch((error: unknown) => deletionFailed(error));
  if (left === undefined) {
    await releaseFinalizer(context, service.resource, vsphereMachine, finalizer);
    return done();
  }
  await write(context, service, leaving, left, left.apply);
  return left.outcome;
}

function failed(error: unknown, oldReason: string): ReturnType<typeof failedState> {
  // This process may not act any more; there is nothing to tell of the machine.
  if (error instanceof FencedError) throw error;
  return failedState(error, oldReason);
}

function deletionFailed(error: unknown): ReturnType<typeof failedState> {
  const state = failed(error, 'DeletionFailed');
  return { ...state, condition: { ...state.condition, reason: reasons.deleting } };
}

async function write<M extends CommonMachine>(
  context: ReconcileContext,
  service: VmService<M>,
  { vsphereMachine: before, cluster }: LeavingMachine<M>,
  state: ProvisionedState,
  apply: ((draft: Thawed<Frozen<M>>) => void) | undefined,
): Promise<void> {
  const plain: Frozen<CommonMachine> = before;
  const after = edit(plain, (draft) => {
    apply?.(draft as Thawed<Frozen<M>>);
    reportMachine(draft, state, context.clock.now());
    setCondition(draft as ConditionTarget, pausedCondition(plain, cluster), context.clock.now());
  });
  await context.change({
    verb: 'patch',
    resource: service.resource,
    before,
    after: after as Frozen<M>,
    ownedConditions: ownedMachineConditions,
    reason: state.condition.reason,
    message: state.condition.message ?? state.condition.reason,
  });
}
