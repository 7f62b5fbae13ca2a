import { releaseAddress } from '@slipway/cluster-api';
import {
  done,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  wait,
} from '@slipway/runtime';
import { hostFinalizers, hostMachines } from '../api/index.js';
import type { Engine } from '../engine/index.js';
import { observe } from './observe.js';
import { provisionMachine } from './provision.js';

/** A machine of this computer: an address, namespaces with a kubelet of their own in them, and what it is to do first. */
export async function reconcileHostMachine(
  key: ObjectKey,
  context: ReconcileContext,
  engine: Engine,
): Promise<Outcome> {
  const observed = observe(context.sources, key);
  if (observed === undefined) return done();
  const { hostMachine, machine, cluster } = observed;
  const isGoing = isDeleting(hostMachine);
  if (!isGoing && (machine === undefined || cluster === undefined))
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this HostMachine yet' });
  // Paused, it is not removed either: a move takes the objects away, and the machine runs on for whoever has them then.
  if (!(await openReconcile(context, hostMachines, hostMachine, { finalizer: hostFinalizers.hostMachine, cluster })))
    return done();
  if (!isGoing) return provisionMachine(observed, context, engine);
  await engine.removeMachine(hostMachine.metadata.uid ?? '');
  await releaseAddress(context, hostMachine);
  await releaseFinalizer(context, hostMachines, hostMachine, hostFinalizers.hostMachine);
  return done();
}
