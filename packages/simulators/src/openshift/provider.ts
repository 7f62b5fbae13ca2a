import {
  annotations,
  clusterOfMachinesWatch,
  flagAt,
  type Machine,
  machineOwnersOf,
  machineWatch,
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
  openReconcile,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  secrets,
  wait,
  watch,
} from '@slipway/runtime';
import { sampleOf } from './seed.js';
import { addressesOf, joinAsNode, leaveAsNode, machineAnnotation, type StandInKubelet } from './kubelet.js';

export interface StandInOptions {
  readonly platform: Platform;
  readonly clusterAs: StandInKubelet['clusterAs'];
  /** Told of every instance that is started or ended, and by which API. */
  readonly onPower?: (event: PowerEvent) => void;
}

export interface PowerEvent {
  readonly machine: string;
  readonly power: 'on' | 'off';
  readonly by: 'MachineAPI' | 'ClusterAPI';
}

/** Plays the infrastructure provider: machines are switched on by a note, and their kubelets ask and join as real ones do. */
export function createStandInProvider(options: StandInOptions): ControllerSet {
  const { provider } = options.platform;
  const machine = `standin${provider}machine`;
  const cluster = `standin${provider}cluster`;
  return {
    name: `standin${provider}`,
    controllers: [
      { name: cluster, create: () => createClusterController(cluster, options.platform) },
      { name: machine, create: (context) => createMachineController(machine, options, context) },
    ],
  };
}

function resourceOfKind({ version }: Platform, kind: string): Resource {
  return { group: infrastructureGroup, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

/** An InfraCluster that nobody else manages is the provider's to call ready. */
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

function createMachineController(name: string, options: StandInOptions, context: ControllerContext): Controller {
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

interface StandIn extends StandInOptions {
  readonly resource: Resource;
  readonly keys: ControllerContext['keys'];
}

async function reconcile(standIn: StandIn, key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { sources } = context;
  const { resource } = standIn;
  const finalizer = `${resource.kind.toLowerCase()}.${infrastructureGroup}`;
  const infraMachine = sources.sourceFor(resource).get(key);
  if (infraMachine === undefined) return done();
  const owners = machineOwnersOf(sources, infraMachine);
  const { machine, cluster } = owners;
  if (!isDeleting(infraMachine) && (machine === undefined || cluster === undefined))
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns it yet' });
  // A paused one is not let go either: another acts on the instance.
  if (!(await openReconcile(context, resource, infraMachine, { finalizer, cluster }))) return done();
  if (isDeleting(infraMachine)) return switchOff(standIn, infraMachine, finalizer, context);
  if (machine === undefined) return done();
  const missing = whatIsMissing(owners) ?? (await whatIsWrongWithUserData(machine, context));
  if (missing !== undefined) return wait(missing);
  if (textAt(infraMachine, 'spec', 'providerID') === undefined) {
    await switchOn(standIn, key, context);
    return done();
  }
  const { keys, clusterAs, platform } = standIn;
  return joinAsNode(
    { machine: key.name, providerId: sampleOf(platform).providerId(key.name), keys, clusterAs },
    context,
  );
}

async function switchOff(
  standIn: StandIn,
  infraMachine: Frozen<KubeObject>,
  finalizer: string,
  context: ReconcileContext,
): Promise<Outcome> {
  const { resource } = standIn;
  const key = keyOf(infraMachine);
  await leaveAsNode(key.name, context);
  if (hasFinalizer(infraMachine, finalizer))
    await context.change(powerChange(standIn, resource, key, 'ClusterAPI', 'off'));
  await releaseFinalizer(context, resource, infraMachine, finalizer);
  return done();
}

/** Machines of OpenShift start from a pointer that Ignition follows: the Secret has to be the one that was synced. */
async function whatIsWrongWithUserData(machine: Frozen<Machine>, { read, signal }: ReconcileContext) {
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const { data = {} } = await read.get(secrets, { namespace: machine.metadata.namespace ?? '', name }, { signal });
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('utf8');
  if (text('format') === 'ignition' && text('value').includes('"ignition"')) return undefined;
  return { reason: 'InvalidBootstrapData', message: `Secret ${name} is no Ignition configuration` };
}

async function switchOn(standIn: StandIn, key: ObjectKey, context: ReconcileContext): Promise<void> {
  const { platform, resource } = standIn;
  const providerID = sampleOf(platform).providerId(key.name);
  const spec = { providerID, ...(platform.type === 'AWS' && { instanceID: providerID.split('/').at(-1) ?? '' }) };
  const cause = { reason: 'Provisioned', message: `Started the simulated instance of ${key.name}` };
  const status = { ready: true, instanceState: 'running', addresses: addressesOf(key.name) };
  await context.changeAll([
    powerChange(standIn, resource, key, 'ClusterAPI', 'on'),
    { verb: 'patch', resource, key, body: { type: 'merge', patch: { spec } }, ...cause },
    { verb: 'patch', resource, key, body: { type: 'merge', patch: { status } }, subresource: 'status', ...cause },
  ]);
}

/** Switches a simulated instance on or off, on behalf of the API that is authoritative for its machine. */
export function powerChange(
  { onPower }: StandInOptions,
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
    message: `Switched the simulated instance of ${key.name} ${power}`,
    run: () => Promise.resolve(onPower?.({ machine: key.name, power, by })),
    assume: () => undefined,
  };
}
