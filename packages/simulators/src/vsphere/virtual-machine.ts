import { clusterNameOf, clusterOf, type Machine, machineOwnersOf, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type Cause,
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
import type { SimulatedGuests } from './guests.js';

const finalizer = 'virtualmachine.vmoperator.vmware.com';

export interface SimulatedOptions {
  readonly guests: SimulatedGuests;
  /** Time until a machine is powered on. */
  readonly powerOnMs: number;
}

/** Simulates VM Operator for VirtualMachines: creates them, powers them on, and runs in memory what they would boot. */
export function createSimulatedVmController(options: SimulatedOptions): Controller {
  return createController({
    name: 'simulated-virtualmachine',
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

async function reconcile(key: ObjectKey, context: ReconcileContext, options: SimulatedOptions): Promise<Outcome> {
  const vm = context.sources.sourceFor(virtualMachines).get(key);
  if (vm === undefined) return done();
  if (isDeleting(vm)) return remove(vm, context, options);
  if ((await ensureFinalizer(context, virtualMachines, vm, finalizer)).changed) return done();
  const problem = await findProblem(vm, context);
  if (problem !== undefined) {
    const { reason, message } = problem;
    await write(vm, context, { reason, message }, (draft, nowMs) =>
      setCondition(draft, { status: 'False', ...problem }, nowMs),
    );
    // Poll: VM classes and Secrets are not watched for this.
    return wait({ ms: 5_000, reason, message });
  }
  const dueMs = Date.parse(vm.metadata.creationTimestamp ?? '') + options.powerOnMs - context.clock.now();
  if (dueMs > 0) {
    const cause = { reason: 'PoweringOn', message: 'the virtual machine is being powered on' };
    await write(vm, context, cause, markCreated);
    return wait({ ms: dueMs, ...cause });
  }
  // Boot the guest before the status is PoweredOn: clients connect to the guest as soon as they see that status.
  await boot(vm, context, options);
  await write(vm, context, { reason: 'PoweredOn', message: 'The virtual machine is powered on' }, (draft, nowMs) => {
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

/** Checks the prerequisites of VM Operator: the VM class and the bootstrap data. */
async function findProblem(vm: Frozen<VirtualMachine>, context: ReconcileContext): Promise<Problem | undefined> {
  // A running VM no longer needs these objects, which may have been deleted.
  if (vm.status?.powerState === 'PoweredOn') return undefined;
  const { namespace = '' } = vm.metadata;
  const { className = '' } = vm.spec ?? {};
  if (context.sources.sourceFor(virtualMachineClasses).get({ namespace, name: className }) !== undefined)
    return findBootstrapProblem(vm, context);
  const message = `VirtualMachineClass ${className} does not exist in namespace ${namespace}`;
  return { type: 'VirtualMachineClassReady', reason: 'NotFound', message };
}

async function findBootstrapProblem(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
): Promise<Problem | undefined> {
  const config = vm.spec?.bootstrap?.cloudInit?.rawCloudConfig;
  if (config === undefined) return undefined;
  const key = { namespace: vm.metadata.namespace ?? '', name: config.name };
  const data = (await ifPresent(context.read.get(secrets, key, context)))?.data ?? {};
  // Cluster API writes the data to `value`, regardless of the requested key.
  if (data[config.key] !== undefined || data['value'] !== undefined) return undefined;
  const message = `Secret ${config.name} has neither ${config.key} nor value`;
  return { type: 'VirtualMachineBootstrapReady', reason: 'NotFound', message };
}

async function boot(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
  { guests }: SimulatedOptions,
): Promise<void> {
  const machine = machineOf(vm, context);
  const cluster = machine && clusterOf(context.sources, machine);
  if (machine === undefined || cluster === undefined) return;
  const { name = '', uid = '' } = vm.metadata;
  const address = machineAddress(uid);
  const confirm = () => confirmWanted(context, virtualMachines, vm);
  await guests.boot({ machine, cluster, name, uid, address, providerId: providerIdOf(uid), confirm }, context);
}

/** Returns the Machine that owns the VSphereMachine that owns the VirtualMachine. */
function machineOf(vm: Frozen<VirtualMachine>, { sources }: ReconcileContext): Frozen<Machine> | undefined {
  const { namespace = '', ownerReferences = [] } = vm.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const vsphereMachine = sources.sourceFor(supervisorMachines).get({ namespace, name: owner?.name ?? '' });
  return vsphereMachine && machineOwnersOf(sources, vsphereMachine).machine;
}

async function remove(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
  { guests }: SimulatedOptions,
): Promise<Outcome> {
  const cluster = clusterNameOf({ metadata: vm.metadata });
  const { namespace = '', name = '' } = vm.metadata;
  if (cluster !== undefined) await guests.shutDown({ namespace, name: cluster }, name);
  await releaseFinalizer(context, virtualMachines, vm, finalizer);
  return done();
}

async function write(
  vm: Frozen<VirtualMachine>,
  context: ReconcileContext,
  cause: Cause,
  fill: (draft: Draft, nowMs: number) => void,
): Promise<void> {
  const after = edit(vm, (draft) => fill(draft as Draft, context.clock.now()));
  await context.change({
    verb: 'status',
    resource: virtualMachines,
    before: vm,
    after,
    ownedConditions: 'all',
    ...cause,
  });
}
