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
  type Client,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  done,
  hasFinalizer,
  isDeleting,
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
  readonly clientAs: StandInKubelet['clientAs'];
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
    async reconcile(key, { client, sources, signal }) {
      const cluster = sources.sourceFor(resource).get(key);
      if (cluster === undefined || Object.hasOwn(cluster.metadata.annotations ?? {}, annotations.managedBy))
        return done();
      if (flagAt(cluster, 'status', 'ready')) return done();
      const patch = { status: { ready: true } };
      await client.patch(resource, key, { type: 'merge', patch }, { subresource: 'status', signal });
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
  const { client, sources, signal } = context;
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
  const missing = whatIsMissing(owners) ?? (await whatIsWrongWithUserData(client, machine, signal));
  if (missing !== undefined) return wait(missing);
  if (textAt(infraMachine, 'spec', 'providerID') === undefined) {
    await switchOn(standIn, key, client);
    return done();
  }
  const { keys, clientAs, platform } = standIn;
  return joinAsNode(
    { machine: key.name, providerId: sampleOf(platform).providerId(key.name), keys, clientAs },
    context,
  );
}

async function switchOff(
  { resource, onPower }: StandIn,
  infraMachine: Frozen<KubeObject>,
  finalizer: string,
  context: ReconcileContext,
): Promise<Outcome> {
  const { name = '' } = infraMachine.metadata;
  await leaveAsNode(name, context);
  if (hasFinalizer(infraMachine, finalizer)) onPower?.({ machine: name, power: 'off', by: 'ClusterAPI' });
  await releaseFinalizer(context, resource, infraMachine, finalizer);
  return done();
}

/** Machines of OpenShift start from a pointer that Ignition follows: the Secret has to be the one that was synced. */
async function whatIsWrongWithUserData(client: Client, machine: Frozen<Machine>, signal: AbortSignal) {
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const { data = {} } = await client.get(secrets, { namespace: machine.metadata.namespace ?? '', name }, { signal });
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('utf8');
  if (text('format') === 'ignition' && text('value').includes('"ignition"')) return undefined;
  return { reason: 'InvalidBootstrapData', message: `Secret ${name} is no Ignition configuration` };
}

async function switchOn({ platform, resource, onPower }: StandIn, key: ObjectKey, client: Client): Promise<void> {
  onPower?.({ machine: key.name, power: 'on', by: 'ClusterAPI' });
  const providerID = sampleOf(platform).providerId(key.name);
  const spec = { providerID, ...(platform.type === 'AWS' && { instanceID: providerID.split('/').at(-1) ?? '' }) };
  await client.patch(resource, key, { type: 'merge', patch: { spec } });
  const status = { ready: true, instanceState: 'running', addresses: addressesOf(key.name) };
  await client.patch(resource, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
}
