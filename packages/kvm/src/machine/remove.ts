import {
  isConditionTrue,
  done,
  edit,
  hasAnnotation,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  setCondition,
  wait,
  isDeleting,
} from '@slipway/runtime';
import { releaseAddress } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  kvmAnnotations,
  kvmConditions,
  kvmFinalizers,
  type KVMMachine,
  kvmMachines,
  kvmReasons,
} from '../api/index.js';
import { uuidOf } from './identity.js';
import type { ObservedKVMMachine } from './observe.js';
import { write } from './provision.js';
import type { VirtualMachineService, VmLeaving } from './vm-service.js';

/** How long connections through the endpoint may take to end. */
const detachMs = 30_000;

/** Takes the machine out of the endpoint, shuts it down, removes it, and gives back what it had. */
export async function removeMachine(
  observed: ObservedKVMMachine,
  context: ReconcileContext,
  service: VirtualMachineService | undefined,
): Promise<Outcome> {
  const { kvmMachine, kvmCluster } = observed;
  const uuid = uuidOf(kvmMachine);
  if (uuid !== undefined) {
    const left =
      waitsForEndpoint(observed, context.clock.now()) ??
      blockedBy(kvmMachine, service) ??
      (await service?.remove({ uuid, kvmMachine, kvmCluster }, context));
    if (left !== undefined) {
      await write(context, kvmMachine, withLeaving(kvmMachine, left, context.clock.now()));
      return left.outcome;
    }
  }
  await releaseAddress(context, kvmMachine);
  await releaseFinalizer(context, kvmMachines, kvmMachine, kvmFinalizers.kvmMachine);
  return done();
}

/** No new connections are to be led to an API server that is about to go. */
function waitsForEndpoint({ kvmMachine, kvmCluster }: ObservedKVMMachine, nowMs: number): VmLeaving | undefined {
  if (kvmCluster === undefined || isDeleting(kvmCluster)) return undefined;
  if (!isConditionTrue(kvmMachine, kvmConditions.loadBalancerAttached)) return undefined;
  const sinceMs = Date.parse(kvmMachine.metadata.deletionTimestamp ?? '');
  const leftMs = sinceMs + detachMs - nowMs;
  if (!(leftMs > 0)) return undefined;
  return leaving('running', kvmReasons.shuttingDown, 'the endpoint of the control plane still leads here', leftMs);
}

/** A machine of another host can only be removed there. */
function blockedBy(kvmMachine: Frozen<KVMMachine>, service: VirtualMachineService | undefined): VmLeaving | undefined {
  if (hasAnnotation(kvmMachine, kvmAnnotations.forceDelete) && !isHere(kvmMachine, service)) return undefined;
  const remedy = `or set the annotation ${kvmAnnotations.forceDelete} if the machine is gone for good`;
  if (service === undefined) {
    const message = `this manager has no backend ${kvmMachine.spec?.backend ?? ''}: run one that has, ${remedy}`;
    return leaving('running', kvmReasons.deletionBlocked, message);
  }
  if (isHere(kvmMachine, service)) return undefined;
  const message = `the machine is on host ${kvmMachine.spec?.hostName ?? ''}: run Slipway there, ${remedy}`;
  return leaving('running', kvmReasons.hostUnreachable, message);
}

function isHere({ spec }: Frozen<KVMMachine>, service: VirtualMachineService | undefined): boolean {
  if (service === undefined) return false;
  return service.hostName === undefined || spec?.hostName === undefined || spec.hostName === service.hostName;
}

function leaving(state: VmLeaving['state'], reason: string, message: string, ms?: number): VmLeaving {
  return { state, condition: { reason, message }, outcome: wait({ ...(ms !== undefined && { ms }), reason, message }) };
}

function withLeaving(
  kvmMachine: Frozen<KVMMachine>,
  { state, condition }: VmLeaving,
  nowMs: number,
): Frozen<KVMMachine> {
  return edit(kvmMachine, (draft) => {
    draft.status ??= {};
    draft.status.machineState = state;
    const { deleting, ready } = kvmConditions;
    setCondition(draft, { type: deleting, status: 'True', ...condition }, nowMs);
    setCondition(draft, { type: ready, status: 'False', reason: 'Deleting', message: condition.message ?? '' }, nowMs);
  });
}
