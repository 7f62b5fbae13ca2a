import {
  clusterOfMachinesWatch,
  machineOwnersOf,
  machineWatch,
  type Missing,
  reasons,
  whatIsMissing,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  releaseFinalizer,
  setCondition,
  wait,
} from '@slipway/runtime';
import { type PondMachine, pondMachines } from './kinds.js';
import type { Boat, Pond } from './pond.js';

const finalizer = 'pondmachine.infrastructure.cluster.x-k8s.io';

export function createPondMachineController(pond: Pond, options: ControllerContext): Controller {
  const { concurrency, watchFilter, sources } = options;
  return createController({
    name: 'pondmachine',
    for: pondMachines,
    concurrency,
    filter: watchFilter,
    watches: [machineWatch(pondMachines), clusterOfMachinesWatch(sources, pondMachines)],
    reconcile: (key, context) => reconcilePondMachine(key, context, pond),
  });
}

/** One boat for one machine, named by its uid: a machine of the same name tomorrow is another one. */
async function reconcilePondMachine(key: ObjectKey, context: ReconcileContext, pond: Pond): Promise<Outcome> {
  const { sources, client, signal } = context;
  const pondMachine = sources.sourceFor(pondMachines).get(key);
  if (pondMachine === undefined) return done();
  const { uid = '' } = pondMachine.metadata;
  if (isDeleting(pondMachine)) {
    pond.sink(uid);
    await releaseFinalizer(context, pondMachines, pondMachine, finalizer);
    return done();
  }
  const { machine, cluster } = machineOwnersOf(sources, pondMachine);
  if (machine === undefined || cluster === undefined)
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns this PondMachine yet' });
  if (!(await openReconcile(context, pondMachines, pondMachine, { finalizer, cluster }))) return done();
  const missing = whatIsMissing({ machine, cluster });
  // A real provider hands the bootstrap data of the Machine to the boat here.
  const after =
    missing === undefined
      ? afloat(pondMachine, pond.launch(uid), context.clock.now())
      : waiting(pondMachine, missing, context.clock.now());
  await patchObject(client, pondMachines, pondMachine, after, { ownedConditions: ['Ready'], signal });
  return missing === undefined ? done() : wait(missing);
}

function afloat(machine: Frozen<PondMachine>, boat: Boat, nowMs: number): Frozen<PondMachine> {
  return edit(machine, (draft) => {
    draft.spec ??= {};
    draft.spec.providerID = `pond://${boat.name}`;
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
    draft.status.addresses = [{ type: 'InternalIP', address: boat.address }];
    setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: reasons.ready }, nowMs);
  });
}

function waiting(machine: Frozen<PondMachine>, missing: Missing, nowMs: number): Frozen<PondMachine> {
  return edit(machine, (draft) =>
    setCondition(draft as ConditionTarget, { type: 'Ready', status: 'False', ...missing }, nowMs),
  );
}
