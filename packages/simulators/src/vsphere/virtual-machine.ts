import { clusterNameOf, clusterOf, type Machine, machineOwnersOf, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  confirmWanted,
  type Controller,
  createController,
  done,
  edit,
  ensureFinalizer,
  ifPresent,
  isDeleting,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  releaseFinalizer,
  secrets,
  setCondition,
  watch,
  wait,
} from '@slipway/runtime';
import {
  providerIdOf,
  supervisorMachines,
  type VirtualMachine,
  virtualMachineClasses,
  virtualMachines,
  vmLabels,
} from '@slipway/vsphere';
import { machineAddress } from './addresses.js';
import type { StandInGuests } from './guests.js';

const finalizer = 'virtualmachine.vmoperator.vmware.com';

export interface StandInOptions {
  readonly guests: StandInGuests;
  /** How long a machine takes to be powered on. */
  readonly powerOnMs: number;
}

/** Plays VM Operator for VirtualMachines: makes them, powers them on, and lets what they boot run in memory. */
export function createStandInVmController(options: StandInOptions): Controller {
  return createController({
    name: 'stand-in-virtualmachine',
    for: virtualMachines,
    concurrency: 50,
    watches: [
      watch(virtualMachineClasses, { map: () => [] }),
      watch(supervisorMachines, { map: () => [] }),
      watch(machines, { map: () => [] }),
    ],
    reconcile: (key, context) => reconcile(key, context, options),
  });
}

async function reconcile(key: ObjectKey, context: ReconcileContext, options: StandInOptions): Promise<Outcome> {
  const vm = context.sources.sourceFor(virtualMachines).get(key);
  if (vm === undefined) return done();
  if (isDeleting(vm)) return remove(vm, context, options);
  if ((await ensureFinalizer(context, virtualMachines, vm, finalizer)).changed) return done();
  const problem = await findProblem(vm, context);
  if (problem !== undefined) {
    await write(vm, context, (draft, nowMs) => setCondition(draft, { status: 'False', ...problem }, nowMs));
    // Nobody tells a stand-in that a class or a Secret came.
    return wait({ ms: 5_000, reason: problem.reason, message: problem.message });
  }
  const dueMs = Date.parse(vm.metadata.creationTimestamp ?? '') + options.powerOnMs - context.clock.now();
  if (dueMs > 0) {
    await write(vm, context, markCreated);
    return wait({ ms: dueMs, reason: 'PoweringOn', message: 'the virtual machine is being powered on' });
  }
  // Before it is told: whoever reads that the machine is on will try to reach what runs on it.
  await boot(vm, context, options);
  await write(vm, context, (draft, nowMs) => {
    markCreated(draft, nowMs);
    powerOn(draft);
  });
  return done();
}

type Draft = ConditionTarget & Pick<VirtualMachine, 'metadata' | 'spec' | 'status'>;

const fulfilled = [
  'VirtualMachineClassReady',
  'VirtualMachineImageReady',
  'VirtualMachineConditionVMSetResourcePolicyReady',
  'VirtualMachineBootstrapReady',
  'VirtualMachineStorageReady',
  'VirtualMachineNetworkReady',
  'VirtualMachineConditionPlacementReady',
  'VirtualMachineCreated',
];

function markCreated(draft: Draft, nowMs: number): void {
  for (const type of fulfilled) setCondition(draft, { type, status: 'True', reason: 'True' }, nowMs);
}

function powerOn(draft: Draft): void {
  const { uid = '', labels } = draft.metadata;
  const zone = labels?.[vmLabels.zone];
  const address = machineAddress(uid);
  draft.status = {
    ...draft.status,
    powerState: 'PoweredOn',
    biosUUID: uid,
    instanceUUID: uid,
    nodeName: `esx-${(Number.parseInt(uid.slice(0, 4), 16) || 0) % 4}.example.com`,
    network: { ...draft.status?.network, primaryIP4: address },
    ...(zone !== undefined && { zone }),
  };
}

interface Problem {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** What VM Operator would not begin without. */
async function findProblem(vm: Frozen<VirtualMachine>, context: ReconcileContext): Promise<Problem | undefined> {
  // What made it may be swept away once it runs.
  if (vm.status?.powerState === 'PoweredOn') return undefined;
  const { namespace = '' } = vm.metadata;
  const { className = '' } = vm.spec ?? {};
  if (context.sources.sourceFor(virtualMachineClasses).get({ namespace, name: className }) !== undefined)
    return findBootstrapProblem(vm, context);
  const message = `there is no VirtualMachineClass ${className} in namespace ${namespace}`;
  return { type: 'VirtualMachineClassReady', reason: 'NotFound', message };
}

async function findBootstrapProblem(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
): Promise<Problem | undefined> {
  const config = vm.spec?.bootstrap?.cloudInit?.rawCloudConfig;
  if (config === undefined) return undefined;
  const key = { namespace: vm.metadata.namespace ?? '', name: config.name };
  const data = (await ifPresent(context.client.get(secrets, key, context)))?.data ?? {};
  // Cluster API writes `value`, whatever key is asked for.
  if (data[config.key] !== undefined || data['value'] !== undefined) return undefined;
  const message = `Secret ${config.name} has neither ${config.key} nor value`;
  return { type: 'VirtualMachineBootstrapReady', reason: 'NotFound', message };
}

async function boot(vm: Frozen<VirtualMachine>, context: ReconcileContext, { guests }: StandInOptions): Promise<void> {
  const machine = machineOf(vm, context);
  const cluster = machine && clusterOf(context.sources, machine);
  if (machine === undefined || cluster === undefined) return;
  const { name = '', uid = '' } = vm.metadata;
  const address = machineAddress(uid);
  const confirm = () => confirmWanted(context, virtualMachines, vm);
  await guests.boot({ machine, cluster, name, uid, address, providerId: providerIdOf(uid), confirm }, context);
}

/** The Machine of the VSphereMachine that has the virtual machine made. */
function machineOf(vm: Frozen<VirtualMachine>, { sources }: ReconcileContext): Frozen<Machine> | undefined {
  const { namespace = '', ownerReferences = [] } = vm.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const vsphereMachine = sources.sourceFor(supervisorMachines).get({ namespace, name: owner?.name ?? '' });
  return vsphereMachine && machineOwnersOf(sources, vsphereMachine).machine;
}

async function remove(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
  { guests }: StandInOptions,
): Promise<Outcome> {
  const cluster = clusterNameOf({ metadata: vm.metadata });
  const { namespace = '', name = '' } = vm.metadata;
  if (cluster !== undefined) await guests.shutDown({ namespace, name: cluster }, name);
  await releaseFinalizer(context, virtualMachines, vm, finalizer);
  return done();
}

async function write(
  vm: Frozen<VirtualMachine>,
  { client, clock, signal }: ReconcileContext,
  change: (draft: Draft, nowMs: number) => void,
): Promise<Frozen<VirtualMachine>> {
  const after = edit(vm, (draft) => change(draft as Draft, clock.now()));
  return patchObject(client, virtualMachines, vm, after, { ownedConditions: 'all', signal });
}
