import type { Frozen } from '@slipway/kube';
import { type MapiMachine, mapiMachines, namespaces, setOpenShiftCondition } from '@slipway/openshift';
import {
  certificateSigningRequests,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  done,
  edit,
  ensureFinalizer,
  hasFinalizer,
  isDeleting,
  keyOf,
  nodes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  watch,
} from '@slipway/runtime';
import { sampleOf } from './seed.js';
import { addressesOf, joinAsNode, leaveAsNode, machineAnnotation, nodeNameOf } from './kubelet.js';
import { createSimulatedMachineSets } from './machine-sets.js';
import { powerChange, type SimulatedOptions } from './provider.js';

type Machine = Frozen<MapiMachine>;

const finalizer = 'machine.machine.openshift.io';

/** Simulates Machine API: runs the Machines for which Machine API is authoritative, and reports the others as paused. */
export function createSimulatedMachineApi(options: SimulatedOptions): ControllerSet {
  return {
    name: 'simulatedmachineapi',
    controllers: [
      { name: 'simulatedmapimachine', create: (context) => createMachines(options, context) },
      { name: 'simulatedmapimachineset', create: (context) => createSimulatedMachineSets(context) },
    ],
  };
}

function createMachines(options: SimulatedOptions, { keys }: ControllerContext): Controller {
  const ofMachine = (machine: string | undefined): readonly ObjectKey[] =>
    machine === undefined ? [] : [{ namespace: namespaces.machineApi, name: machine }];
  return createController({
    name: 'simulatedmapimachine',
    for: mapiMachines,
    watches: [
      watch(certificateSigningRequests, {
        map: ({ metadata }) => ofMachine(metadata.annotations?.[machineAnnotation]),
      }),
      watch(nodes, { map: ({ metadata }) => ofMachine(metadata.annotations?.[machineAnnotation]) }),
    ],
    async reconcile(key, context) {
      const machine = context.sources.sourceFor(mapiMachines).get(key);
      if (machine === undefined) return done();
      if (!(await reportAuthority(machine, context))) return done();
      return reconcile({ ...options, keys }, machine, context);
    },
  });
}

/**
 * Sets the Paused condition and returns whether Machine API is authoritative: according to the status, or to the spec while the
 * status is empty.
 */
async function reportAuthority(machine: Machine, context: ReconcileContext): Promise<boolean> {
  const reported = machine.status?.authoritativeAPI ?? '';
  const decides = reported === 'MachineAPI' || (reported === '' && machine.spec?.authoritativeAPI !== 'ClusterAPI');
  const after = edit(machine, (draft) =>
    setOpenShiftCondition(
      draft,
      {
        type: 'Paused',
        status: decides ? 'False' : 'True',
        reason: decides ? 'AuthoritativeAPIMachineAPI' : 'AuthoritativeAPINotMachineAPI',
        message: `The AuthoritativeAPI status is ${reported}`,
      },
      context.clock.now(),
    ),
  );
  await context.change({
    verb: 'status',
    resource: mapiMachines,
    before: machine,
    after,
    ownedConditions: ['Paused'],
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  return decides;
}

interface Simulated extends SimulatedOptions {
  readonly keys: ControllerContext['keys'];
}

async function reconcile(simulator: Simulated, machine: Machine, context: ReconcileContext): Promise<Outcome> {
  const { name = '' } = machine.metadata;
  if (isDeleting(machine)) {
    await leaveAsNode(name, context);
    if (hasFinalizer(machine, finalizer))
      await context.change(powerChange(simulator, mapiMachines, keyOf(machine), 'MachineAPI', 'off'));
    await releaseFinalizer(context, mapiMachines, machine, finalizer);
    return done();
  }
  if ((await ensureFinalizer(context, mapiMachines, machine, finalizer)).changed) return done();
  const providerID = sampleOf(simulator.platform).providerId(name);
  if (machine.spec?.providerID === undefined) {
    await context.change(powerChange(simulator, mapiMachines, keyOf(machine), 'MachineAPI', 'on'));
    await report(machine, 'Provisioned', providerID, context);
    return done();
  }
  // Control plane machines were created by the installer and are already running.
  if (machine.metadata.labels?.['machine.openshift.io/cluster-api-machine-role'] === 'master') return done();
  const node = context.sources.sourceFor(nodes).get({ namespace: '', name: nodeNameOf(name) });
  const outcome = await joinAsNode({ machine: name, providerId: providerID, ...simulator }, context);
  if (node !== undefined) await report(machine, 'Running', providerID, context);
  return outcome;
}

async function report(machine: Machine, phase: string, providerID: string, context: ReconcileContext): Promise<void> {
  const { name = '' } = machine.metadata;
  const after = edit(machine, (draft) => {
    draft.spec ??= {};
    draft.spec.providerID = providerID;
    draft.status ??= {};
    draft.status.phase = phase;
    draft.status.addresses = addressesOf(name);
    draft.status.providerStatus = { instanceState: 'running' };
    if (phase === 'Running') draft.status.nodeRef = { apiVersion: 'v1', kind: 'Node', name: nodeNameOf(name) };
  });
  await context.change({
    verb: 'patch',
    resource: mapiMachines,
    before: machine,
    after,
    reason: phase,
    message: `Machine ${name} is ${phase}`,
  });
}
