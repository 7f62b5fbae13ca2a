import { releaseAddress } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { DeletingMachineScope, RemovalProgress } from '@slipway/provider-kit';
import { hasAnnotation, isConditionTrue, isDeleting, wait } from '@slipway/runtime';
import { kvmAnnotations, type KVMCluster, kvmConditions, type KVMMachine, kvmReasons } from '../api/index.js';
import { uuidOf } from './identity.js';
import { type Backends, backendOf, type VirtualMachineService, type VmRemoval } from './vm-service.js';

type Scope = DeletingMachineScope<KVMMachine, KVMCluster>;

/** Maximum wait for the endpoint to detach the machine. */
const detachMs = 30_000;

/** Detaches the machine from the endpoint, shuts it down, removes it and releases its address. */
export async function removeMachine(
  scope: Scope,
  backends: Backends,
): Promise<RemovalProgress<KVMMachine> | undefined> {
  const { context, infraMachine: kvmMachine, infraCluster: kvmCluster } = scope;
  const service = backends.services.get(backendOf(backends, kvmMachine, kvmCluster));
  const uuid = uuidOf(kvmMachine);
  const left =
    uuid === undefined
      ? undefined
      : (waitsForEndpoint(scope) ??
        blockedBy(kvmMachine, service) ??
        (await service?.remove({ uuid, kvmMachine, kvmCluster }, context)));
  if (left === undefined) {
    await releaseAddress(context, kvmMachine);
    return undefined;
  }
  const { state, condition, outcome } = left;
  return {
    reason: condition.reason,
    message: condition.message ?? '',
    apply(draft) {
      draft.status ??= {};
      draft.status.machineState = state;
    },
    outcome,
  };
}

/**
 * Returns progress while the endpoint still routes to the machine: it must not send new connections to an API server that is
 * about to be deleted.
 */
function waitsForEndpoint({ context, infraMachine, infraCluster }: Scope): VmRemoval | undefined {
  if (infraCluster === undefined || isDeleting(infraCluster)) return undefined;
  if (!isConditionTrue(infraMachine, kvmConditions.loadBalancerAttached)) return undefined;
  const sinceMs = Date.parse(infraMachine.metadata.deletionTimestamp ?? '');
  const leftMs = sinceMs + detachMs - context.clock.now();
  if (!(leftMs > 0)) return undefined;
  return deleting(
    'running',
    kvmReasons.shuttingDown,
    'the control plane endpoint still routes to this machine',
    leftMs,
  );
}

/**
 * Returns why the machine cannot be removed by this manager: a machine can only be removed by a manager on its host with its
 * backend.
 */
function blockedBy(kvmMachine: Frozen<KVMMachine>, service: VirtualMachineService | undefined): VmRemoval | undefined {
  if (hasAnnotation(kvmMachine, kvmAnnotations.forceDelete) && !isHere(kvmMachine, service)) return undefined;
  const remedy = `or set the annotation ${kvmAnnotations.forceDelete} if the machine is permanently lost`;
  if (service === undefined) {
    const message = `backend ${kvmMachine.spec?.backend ?? ''} is not enabled in this manager: run a manager with it, ${remedy}`;
    return deleting('running', kvmReasons.deletionBlocked, message);
  }
  if (isHere(kvmMachine, service)) return undefined;
  const message = `the machine runs on host ${kvmMachine.spec?.hostName ?? ''}: run Slipway on that host, ${remedy}`;
  return deleting('running', kvmReasons.hostUnreachable, message);
}

function isHere({ spec }: Frozen<KVMMachine>, service: VirtualMachineService | undefined): boolean {
  if (service === undefined) return false;
  return service.hostName === undefined || spec?.hostName === undefined || spec.hostName === service.hostName;
}

function deleting(state: VmRemoval['state'], reason: string, message: string, ms?: number): VmRemoval {
  return { state, condition: { reason, message }, outcome: wait({ ...(ms !== undefined && { ms }), reason, message }) };
}
