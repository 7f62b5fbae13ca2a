import {
  clusterNameOf,
  clusters,
  isPaused,
  type Machine,
  machines,
  type ObservedCluster,
  ownerNameOf,
  ownerOf,
} from '@slipway/cluster-api';
import type { Guests } from '@slipway/dev';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import {
  done,
  ifPresent,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  secrets,
  wait,
} from '@slipway/runtime';
import { addressOf, contractStatus } from './contract-status.js';

type Observed = Frozen<KubeObject>;

/** Simulates a provider that is not built in: sets the status that the provider would have set. */
export async function reconcileForeign(
  resource: Resource,
  key: ObjectKey,
  context: ReconcileContext,
  guests: Guests,
): Promise<Outcome> {
  const object = context.sources.sourceFor(resource).get(key);
  if (object === undefined) return done();
  const machine = ownerOf(context.sources, machines, object);
  const clusterName = clusterNameOf(machine ?? object) ?? ownerNameOf(clusters, object);
  const cluster = context.sources.sourceFor(clusters).get({ namespace: key.namespace, name: clusterName ?? '' });
  const scope: ForeignScope = { resource, key, object, context, guests, machine, cluster };
  if (isDeleting(object)) return release(scope, clusterName);
  if (cluster === undefined) return done();
  if (machine !== undefined) return simulatePart({ ...scope, machine, cluster });
  const isInfrastructure = cluster.spec.infrastructureRef?.kind === resource.kind;
  return isInfrastructure && !isPaused(object, cluster) ? simulateCluster({ ...scope, cluster }) : done();
}

async function simulatePart(scope: MachineScope): Promise<Outcome> {
  const { machine, resource, object, cluster } = scope;
  const { infrastructureRef, bootstrap } = machine.spec;
  // Boot the machine even if its object is paused: pausing keeps machines running and only prevents changes of the object.
  if (infrastructureRef.kind === resource.kind) return simulateMachine(scope);
  const isBootstrap = bootstrap.configRef?.kind === resource.kind;
  return isBootstrap && !isPaused(object, cluster) ? simulateBootstrap(scope) : done();
}

interface ForeignScope {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly object: Observed;
  readonly context: ReconcileContext;
  readonly guests: Guests;
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
}

type MachineScope = ForeignScope & { readonly machine: Frozen<Machine>; readonly cluster: ObservedCluster };

/** Returns the name of the existing Node, or the name of the Machine if there is none. */
function nodeNameOf(machine: Frozen<Machine>): string {
  return machine.status?.nodeRef?.name ?? machine.metadata.name ?? '';
}

async function simulateMachine(scope: MachineScope): Promise<Outcome> {
  const { machine, cluster, object, context, guests, key } = scope;
  const waiting = waitReasonOf(machine, cluster);
  if (waiting !== undefined) return wait(waiting);
  const uid = object.metadata.uid ?? '';
  const { spec } = object as { spec?: { providerID?: string } };
  const name = nodeNameOf(machine);
  const providerId = machine.spec.providerID ?? spec?.providerID ?? `simulated://${key.namespace}/${key.name}`;
  const address = machine.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? addressOf(uid);
  await guests.boot({ machine, cluster, name, uid, address, providerId }, context);
  if (isPaused(object, cluster) || isDone(object)) return done();
  await write(scope, { spec: { providerID: providerId } });
  const addresses = [
    { type: 'InternalIP', address },
    { type: 'Hostname', address: name },
  ];
  await write(scope, { status: { ...contractStatus, addresses } }, 'status');
  return done();
}

function waitReasonOf(
  machine: Frozen<Machine>,
  cluster: ObservedCluster,
): { readonly reason: string; readonly message: string } | undefined {
  if (machine.status?.nodeRef !== undefined) return undefined;
  if (cluster.status?.initialization?.infrastructureProvisioned !== true)
    return {
      reason: 'WaitingForClusterInfrastructureReady',
      message: 'Waiting for the cluster infrastructure',
    };
  if (machine.spec.bootstrap.dataSecretName === undefined)
    return { reason: 'WaitingForBootstrapData', message: 'Waiting for the bootstrap data of the Machine' };
  return undefined;
}

async function simulateCluster(scope: ForeignScope & { readonly cluster: ObservedCluster }): Promise<Outcome> {
  const { cluster, key, guests, object } = scope;
  const { spec } = object as { spec?: { controlPlaneEndpoint?: { host?: string; port?: number } } };
  const requested = spec?.controlPlaneEndpoint ?? {};
  const clusterKey = { namespace: key.namespace, name: cluster.metadata.name ?? '' };
  const { host = '', port = 0 } = await guests.reserve(clusterKey, (requested.host ?? '') === '' ? {} : requested);
  if ((requested.host ?? '') === '') await write(scope, { spec: { controlPlaneEndpoint: { host, port } } });
  if (!isDone(object)) await write(scope, { status: contractStatus }, 'status');
  return done();
}

/** Creates an empty bootstrap data Secret: simulated machines do not boot with it. */
async function simulateBootstrap(scope: MachineScope): Promise<Outcome> {
  const { context, key, cluster, object } = scope;
  if (isDone(object)) return done();
  const existing = await ifPresent(context.read.get(secrets, key));
  if (existing === undefined) {
    const labels = { 'cluster.x-k8s.io/cluster-name': cluster.metadata.name ?? '' };
    const metadata = { ...key, labels };
    await context.change({
      verb: 'create',
      resource: secrets,
      object: { apiVersion: 'v1', kind: 'Secret', metadata, data: { value: '' } },
      reason: 'Assumed',
      message: 'Assumed that the bootstrap provider creates the bootstrap data',
    });
  }
  await write(scope, { status: { ...contractStatus, dataSecretName: key.name } }, 'status');
  return done();
}

/** Removes the finalizers immediately, because there is no real infrastructure to delete. */
async function release(scope: ForeignScope, clusterName: string | undefined): Promise<Outcome> {
  const { machine, key, guests, cluster, resource, object } = scope;
  const clusterKey = { namespace: key.namespace, name: clusterName ?? '' };
  if (machine !== undefined) await guests.shutDown(clusterKey, nodeNameOf(machine));
  else if (cluster?.spec.infrastructureRef?.kind === resource.kind) await guests.release(clusterKey);
  if ((object.metadata.finalizers ?? []).length > 0) await write(scope, { metadata: { finalizers: null } });
  return done();
}

function isDone(object: Observed): boolean {
  const { status } = object as {
    status?: { ready?: boolean; initialization?: { provisioned?: boolean; dataSecretCreated?: boolean } };
  };
  const { provisioned, dataSecretCreated } = status?.initialization ?? {};
  return provisioned === true || dataSecretCreated === true || status?.ready === true;
}

async function write({ resource, key, context }: ForeignScope, patch: JsonObject, subresource = ''): Promise<void> {
  await ifPresent(
    context.change({
      verb: 'patch',
      resource,
      key,
      body: { type: 'merge', patch },
      subresource,
      reason: 'Assumed',
      message: `Assumed that the provider of ${resource.kind} succeeds`,
    }),
  );
}
