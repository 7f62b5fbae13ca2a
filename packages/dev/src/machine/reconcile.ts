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
import { observe } from './observe.js';
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
  if (isDeleting(devMachine)) {
    const name = clusterNameOf(machine ?? { metadata: devMachine.metadata });
    context.check();
    if (name !== undefined) await removeMachine(workloads, { namespace: key.namespace, name }, key.name);
    await releaseFinalizer(context.client, devMachines, devMachine, devFinalizers.devMachine, context);
    return done();
  }
  if (machine === undefined || cluster === undefined)
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this DevMachine yet' });
  const opening = { finalizer: devFinalizers.devMachine, cluster, reportsPaused: true };
  if (!(await openReconcile(context, devMachines, devMachine, opening))) return done();
  return provisionMachine({ devMachine, machine, cluster }, context, workloads);
}
