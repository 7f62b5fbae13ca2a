import { clusterNameOf } from '@slipway/cluster-api';
import {
  done,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { devFinalizers, devMachines } from '../api/index.js';
import type { WorkloadClusters } from '../workload/index.js';
import { observe, type ObservedDevMachine } from './observe.js';
import { provisionMachine } from './provision.js';
import { removeMachine } from '../guest/index.js';

/** A machine that is only simulated: switched on, registered as a Node, and for control planes with all that they run. */
export async function reconcileDevMachine(
  key: ObjectKey,
  context: ReconcileContext,
  workloads: WorkloadClusters,
): Promise<Outcome> {
  const observed = observe(context.sources, key);
  if (observed === undefined) return done();
  const { devMachine, machine, cluster } = observed;
  const isGoing = isDeleting(devMachine);
  if (!isGoing && (machine === undefined || cluster === undefined))
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this DevMachine yet' });
  const opening = { finalizer: devFinalizers.devMachine, cluster, reportsPaused: true };
  // Paused, it is not removed either: a move takes the objects away, and the machine runs on for whoever has them then.
  if (!(await openReconcile(context, devMachines, devMachine, opening))) return done();
  if (isGoing || machine === undefined || cluster === undefined) return remove(observed, context, workloads);
  return provisionMachine({ devMachine, machine, cluster }, context, workloads);
}

async function remove(
  { devMachine, machine }: ObservedDevMachine,
  context: ReconcileContext,
  workloads: WorkloadClusters,
): Promise<Outcome> {
  const { namespace = '', name = '' } = devMachine.metadata;
  const cluster = clusterNameOf(machine ?? { metadata: devMachine.metadata });
  context.check();
  if (cluster !== undefined) await removeMachine(workloads, { namespace, name: cluster }, name);
  await releaseFinalizer(context, devMachines, devMachine, devFinalizers.devMachine);
  return done();
}
