import {
  done,
  FencedError,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { kvmFinalizers, kvmMachines, kvmReasons } from '../api/index.js';
import { pausingOf } from '../report/index.js';
import { observe, type ObservedKVMMachine } from './observe.js';
import { provisionMachine } from './provision.js';
import { removeMachine } from './remove.js';
import type { BackendName, VirtualMachineService } from './vm-service.js';

export interface MachineWorld {
  readonly services: ReadonlyMap<BackendName, VirtualMachineService>;
  readonly backendDefault: BackendName;
}

const finalizer = kvmFinalizers.kvmMachine;

/** A virtual machine, whoever runs it. */
export async function reconcileKVMMachine(
  key: ObjectKey,
  context: ReconcileContext,
  world: MachineWorld,
): Promise<Outcome> {
  const observed = observe(context.sources, key);
  if (observed === undefined) return done();
  try {
    return await reconcileObserved(observed, context, world);
  } catch (error) {
    // Another acts now, and tells.
    if (!(error instanceof FencedError))
      context.events.record(observed.kvmMachine, {
        type: 'Warning',
        reason: 'failed-to-reconcile',
        message: (error as Error).message,
      });
    throw error;
  }
}

async function reconcileObserved(
  observed: ObservedKVMMachine,
  context: ReconcileContext,
  world: MachineWorld,
): Promise<Outcome> {
  const { kvmMachine, machine, cluster } = observed;
  const isGoing = isDeleting(kvmMachine);
  if (!isGoing && (machine === undefined || cluster === undefined))
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this KVMMachine yet' });
  const pausing = pausingOf(kvmMachine, cluster);
  if (!(await openReconcile(context, kvmMachines, kvmMachine, { finalizer, cluster: pausing }))) return done();
  const service = world.services.get(backendOf(observed, world));
  if (isGoing) return removeMachine(observed, context, service);
  if (service === undefined)
    return wait({
      reason: kvmReasons.invalidSpec,
      message: `this manager has no backend ${backendOf(observed, world)}`,
    });
  return provisionMachine(observed, context, service);
}

function backendOf({ kvmMachine, kvmCluster }: ObservedKVMMachine, { backendDefault }: MachineWorld): BackendName {
  return kvmMachine.spec?.backend ?? kvmCluster?.spec?.backend ?? backendDefault;
}
