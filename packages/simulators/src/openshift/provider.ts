import {
  annotations,
  clusterOfMachinesWatch,
  flagAt,
  type Machine,
  machineOwnersOf,
  machineWatch,
  openReconcile,
  textAt,
  whatIsMissing,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { infrastructureGroup, namespaces, type Platform, platformKinds } from '@slipway/openshift';
import {
  certificateSigningRequests,
  type CallChange,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  done,
  hasFinalizer,
  isDeleting,
  keyOf,
  nodes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  secrets,
  wait,
  watch,
} from '@slipway/runtime';
import { sampleOf } from './seed.js';
import { addressesOf, joinAsNode, leaveAsNode, machineAnnotation, type SimulatedKubelet } from './kubelet.js';

export interface SimulatedOptions {
  readonly platform: Platform;
  readonly clusterAs: SimulatedKubelet['clusterAs'];
  /** Called for every instance that is powered on or off, with the API that requested it. */
  readonly onPower?: (event: PowerEvent) => void;
}

export interface PowerEvent {
  readonly machine: string;
  readonly power: 'on' | 'off';
  readonly by: 'MachineAPI' | 'ClusterAPI';
}

/**
 * Simulates the infrastructure provider of a platform. Instances are only records. Their kubelets request certificates and join
 * like real ones. The simulator implements contract v1beta1, like the providers that it simulates. The provider kit does not
 * support that contract.
 */
export function createSimulatedProvider(options: SimulatedOptions): ControllerSet {
  const { provider } = options.platform;
  const machine = `simulated${provider}machine`;
  const cluster = `simulated${provider}cluster`;
  return {
    name: `simulated${provider}`,
    controllers: [
      { name: cluster, create: () => createClusterController(cluster, options.platform) },
      { name: machine, create: (context) => createMachineController(machine, options, context) },
    ],
  };
}

function resourceOfKind({ version }: Platform, kind: string): Resource {
  return { group: infrastructureGroup, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

/** Creates the controller that sets an InfraCluster ready, unless the InfraCluster is externally managed. */
function createClusterController(name: string, platform: Platform): Controller {
  const resource = resourceOfKind(platform, platformKinds(platform).cluster);
  return createController({
    name,
    for: resource,
    async reconcile(key, context) {
      const cluster = context.sources.sourceFor(resource).get(key);
      if (cluster === undefined || Object.hasOwn(cluster.metadata.annotations ?? {}, annotations.managedBy))
        return done();
      if (flagAt(cluster, 'status', 'ready')) return done();
      const patch = { status: { ready: true } };
      await context.change({
        verb: 'patch',
        resource,
        key,
        body: { type: 'merge', patch },
        subresource: 'status',
        reason: 'InfrastructureReady',
        message: `Set ${resource.kind} ${key.name} ready: the simulated infrastructure needs no preparation`,
      });
      return done();
    },
  });
}

function createMachineController(name: string, options: SimulatedOptions, context: ControllerContext): Controller {
  const { platform } = options;
  const resource = resourceOfKind(platform, platformKinds(platform).machine);
  return createController({
    name,
    for: resource,
    concurrency: 4,
    watches: [
      machineWatch(resource),
      clusterOfMachinesWatch(context.sources, resource),
      watch(certificateSigningRequests, { map: ({ metadata }) => keysOf(metadata.annotations?.[machineAnnotation]) }),
      watch(nodes, { map: ({ metadata }) => keysOf(metadata.annotations?.[machineAnnotation]) }),
    ],
    reconcile: (key, run) => reconcile({ ...options, resource, keys: context.keys }, key, run),
  });
}

function keysOf(machine: string | undefined): readonly ObjectKey[] {
  return machine === undefined ? [] : [{ namespace: namespaces.clusterApi, name: machine }];
}

interface Simulated extends SimulatedOptions {
  readonly resource: Resource;
  readonly keys: ControllerContext['keys'];
}

async function reconcile(simulator: Simulated, key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { sources } = context;
  const { resource } = simulator;
  const finalizer = `${resource.kind.toLowerCase()}.${infrastructureGroup}`;
  const infraMachine = sources.sourceFor(resource).get(key);
  if (infraMachine === undefined) return done();
  const owners = machineOwnersOf(sources, infraMachine);
  const { machine, cluster } = owners;
  if (!isDeleting(infraMachine) && (machine === undefined || cluster === undefined))
    return wait({ reason: 'WaitingForOwner', message: 'Waiting for the owning Machine' });
  // Skip a paused machine even if it is being deleted: Machine API is authoritative for the instance.
  if (!(await openReconcile(context, resource, infraMachine, { finalizer, cluster }))) return done();
  if (isDeleting(infraMachine)) return switchOff(simulator, infraMachine, finalizer, context);
  if (machine === undefined) return done();
  const missing = whatIsMissing(owners) ?? (await findUserDataProblem(machine, context));
  if (missing !== undefined) return wait(missing);
  if (textAt(infraMachine, 'spec', 'providerID') === undefined) {
    await switchOn(simulator, key, context);
    return done();
  }
  const { keys, clusterAs, platform } = simulator;
  return joinAsNode(
    { machine: key.name, providerId: sampleOf(platform).providerId(key.name), keys, clusterAs },
    context,
  );
}

async function switchOff(
  simulator: Simulated,
  infraMachine: Frozen<KubeObject>,
  finalizer: string,
  context: ReconcileContext,
): Promise<Outcome> {
  const { resource } = simulator;
  const key = keyOf(infraMachine);
  await leaveAsNode(key.name, context);
  if (hasFinalizer(infraMachine, finalizer))
    await context.change(powerChange(simulator, resource, key, 'ClusterAPI', 'off'));
  await releaseFinalizer(context, resource, infraMachine, finalizer);
  return done();
}

/** Returns a problem unless the bootstrap Secret contains an Ignition configuration, with which OpenShift machines boot. */
async function findUserDataProblem(machine: Frozen<Machine>, { read, signal }: ReconcileContext) {
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const { data = {} } = await read.get(secrets, { namespace: machine.metadata.namespace ?? '', name }, { signal });
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('utf8');
  if (text('format') === 'ignition' && text('value').includes('"ignition"')) return undefined;
  return { reason: 'InvalidBootstrapData', message: `Secret ${name} does not contain an Ignition configuration` };
}

async function switchOn(simulator: Simulated, key: ObjectKey, context: ReconcileContext): Promise<void> {
  const { platform, resource } = simulator;
  const providerID = sampleOf(platform).providerId(key.name);
  const spec = { providerID, ...(platform.type === 'AWS' && { instanceID: providerID.split('/').at(-1) ?? '' }) };
  const cause = { reason: 'Provisioned', message: `Started the simulated instance of ${key.name}` };
  const status = { ready: true, instanceState: 'running', addresses: addressesOf(key.name) };
  await context.changeAll([
    powerChange(simulator, resource, key, 'ClusterAPI', 'on'),
    { verb: 'patch', resource, key, body: { type: 'merge', patch: { spec } }, ...cause },
    { verb: 'patch', resource, key, body: { type: 'merge', patch: { status } }, subresource: 'status', ...cause },
  ]);
}

/** Returns the change that powers a simulated instance on or off, on behalf of the API that is authoritative for its Machine. */
export function powerChange(
  { onPower }: SimulatedOptions,
  resource: Resource,
  key: ObjectKey,
  by: PowerEvent['by'],
  power: PowerEvent['power'],
): CallChange<void> {
  const isOn = power === 'on';
  return {
    verb: 'call',
    resource,
    key,
    action: isOn ? 'power on VM' : 'power off VM',
    reason: isOn ? 'Provisioning' : 'MachineDeleted',
    message: `Powered ${power} the simulated instance of ${key.name}`,
    run: () => Promise.resolve(onPower?.({ machine: key.name, power, by })),
    assume: () => undefined,
  };
}
