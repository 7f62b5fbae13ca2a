import { clusterOf, keysOfCluster, machines, type ObservedCluster, reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type Conditioned,
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  FencedError,
  getCondition,
  ifPresent,
  isDeleting,
  keyOf,
  type ObjectKey,
  openReconcile,
  type Outcome,
  ownerReference,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  retry,
  setCondition,
  wait,
} from '@slipway/runtime';
import {
  type HaproxyLoadBalancer,
  haproxyLoadBalancers,
  type VSphereCluster,
  vsphereClusters,
  vsphereConditions,
  vsphereFinalizers,
  vsphereMachines,
  vsphereVms,
} from '../../api/index.js';
import { vsphereClusterOf } from '../vm/vm-parents.js';
import type { ObservedVm } from '../vm/vm-spec.js';
import type { VCenterWorld } from '../world.js';
import { balancedServers } from './balanced-servers.js';
import { DataPlane } from './data-plane.js';
import type { DataPlaneCredentials } from './data-plane-credentials.js';
import { haproxyPorts, loadBalancerConfiguration } from './haproxy-configuration.js';
import { ensureVm, vmOf } from './load-balancer-vm.js';
import { deleteSecrets, ensureBootstrapData, ensureCredentials, ensureIdentity } from './secrets.js';

type LoadBalancer = Frozen<HaproxyLoadBalancer>;
type World = Pick<VCenterWorld, 'reachGuest'>;

interface ServedCluster {
  readonly cluster: ObservedCluster;
  readonly vsphereCluster: Frozen<VSphereCluster>;
}

/** A virtual machine with HAProxy: cloned before all others of its cluster, and kept in step with the control plane. */
export async function reconcileLoadBalancer(key: ObjectKey, context: ReconcileContext, world: World): Promise<Outcome> {
  const balancer = context.sources.sourceFor(haproxyLoadBalancers).get(key);
  if (balancer === undefined) return done();
  const cluster = clusterOf(context.sources, { metadata: balancer.metadata });
  const finalizer = vsphereFinalizers.haproxyLoadBalancer;
  if (!(await openReconcile(context, haproxyLoadBalancers, balancer, { finalizer, cluster }))) return done();
  if (isDeleting(balancer)) return remove(context, balancer);
  const vsphereCluster = vsphereClusterOf(context.sources, cluster);
  if (cluster === undefined || vsphereCluster === undefined) {
    return report(context, balancer, waiting('WaitingForCluster', 'its Cluster or VSphereCluster is not there yet'));
  }
  if (isDeleting(vsphereCluster)) return leave(context, balancer, cluster);
  const progress = await provision(context, world, balancer, { cluster, vsphereCluster }).catch((error: unknown) => {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    return failed(error);
  });
  return report(context, balancer, progress);
}

interface Progress {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly outcome: Outcome;
  readonly address?: string;
}

function waiting(reason: string, message: string): Progress {
  return { status: 'False', reason, message, outcome: wait({ reason, message }) };
}

function failed(error: unknown, address?: string): Progress {
  const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
  const reason = cause instanceof ReconcileError ? cause.reason : reasons.notReady;
  return { status: 'False', reason, message: cause.message, outcome: retry(cause), ...(address && { address }) };
}

async function provision(
  context: ReconcileContext,
  world: World,
  balancer: LoadBalancer,
  served: ServedCluster,
): Promise<Progress> {
  const { client, signal } = context;
  const owned = edit(balancer, (draft) =>
    ensureOwnerReference(draft.metadata, ownerReference(served.vsphereCluster, { controller: true })),
  );
  if (owned !== balancer) await patchObject(client, haproxyLoadBalancers, balancer, owned, { signal });
  const credentials = await ensureCredentials(context, balancer);
  await ensureBootstrapData(context, balancer, credentials);
  const vm = await ensureVm(context, balancer, served.vsphereCluster);
  const address = vm.status?.ready === true ? vm.status.addresses?.find((each) => each !== '') : undefined;
  if (address === undefined) return mirrored(vm);
  await publishEndpoint(context, served, world.reachGuest(address));
  try {
    await configure(context, world, balancer, served, { credentials, address });
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error;
    return failed(error, address);
  }
  return { status: 'True', reason: reasons.ready, message: '', outcome: done(), address };
}

/** Its changes are watched. */
function mirrored(vm: ObservedVm): Progress {
  const condition = getCondition(vm as Conditioned, vsphereConditions.virtualMachineProvisioned);
  if (condition?.status === 'False') return waiting(condition.reason, condition.message ?? '');
  return waiting('WaitingForVirtualMachine', `VSphereVM ${vm.metadata.name} is not ready yet`);
}

/** Where somebody has said otherwise before, that holds. */
async function publishEndpoint(
  { client, signal }: ReconcileContext,
  { cluster, vsphereCluster }: ServedCluster,
  host: string,
): Promise<void> {
  const given = [cluster, vsphereCluster].some(({ spec }) => (spec.controlPlaneEndpoint?.host ?? '') !== '');
  if (given) return;
  const after = edit(vsphereCluster, (draft) => {
    draft.spec.controlPlaneEndpoint = { host, port: haproxyPorts.api };
  });
  await patchObject(client, vsphereClusters, vsphereCluster, after, { signal });
}

async function configure(
  context: ReconcileContext,
  world: World,
  balancer: LoadBalancer,
  { cluster }: ServedCluster,
  { credentials, address }: { readonly credentials: DataPlaneCredentials; readonly address: string },
): Promise<void> {
  const { sources, clock, signal, logger } = context;
  const identity = await ensureIdentity(context, balancer, credentials, address);
  const source = sources.sourceFor(machines);
  const found = keysOfCluster(sources, machines, keyOf(cluster)).flatMap((key) => source.get(key) ?? []);
  const servers = balancedServers(found, cluster.status?.initialization?.controlPlaneInitialized === true);
  const text = loadBalancerConfiguration(credentials, servers);
  const dataPlane = new DataPlane({ host: world.reachGuest(address), credentials, identity, clock, signal });
  try {
    context.check();
    const changed = await dataPlane.configure(text);
    // The text itself holds the password.
    if (changed) logger.info({ servers: servers.map(({ name }) => name) }, 'HAProxy has another configuration');
  } finally {
    dataPlane.close();
  }
}

async function report(
  { client, clock, signal }: ReconcileContext,
  balancer: LoadBalancer,
  { status, reason, message, outcome, address }: Progress,
): Promise<Outcome> {
  const after = edit(balancer, (draft: Thawed<LoadBalancer>) => {
    draft.status ??= {};
    if (address !== undefined) Object.assign(draft.status, { address, ready: true });
    setCondition(draft as ConditionTarget, { type: vsphereConditions.ready, status, reason, message }, clock.now());
  });
  await patchObject(client, haproxyLoadBalancers, balancer, after, {
    ownedConditions: [vsphereConditions.ready],
    signal,
  });
  return outcome;
}

/** The last of its cluster to go, while the credentials for vCenter are still there. */
async function leave(context: ReconcileContext, balancer: LoadBalancer, cluster: ObservedCluster): Promise<Outcome> {
  const { sources, client, signal } = context;
  const left = keysOfCluster(sources, vsphereMachines, keyOf(cluster)).length;
  if (left > 0) return wait({ reason: reasons.deleting, message: `${left} VSphereMachines are still there` });
  const preconditions = { uid: balancer.metadata.uid };
  await ifPresent(client.delete(haproxyLoadBalancers, keyOf(balancer), { signal, preconditions }));
  return done();
}

async function remove(context: ReconcileContext, balancer: LoadBalancer): Promise<Outcome> {
  const { client, signal } = context;
  const vm = vmOf(context, balancer);
  if (vm !== undefined && vm.metadata.ownerReferences?.some(({ uid }) => uid === balancer.metadata.uid) === true) {
    const preconditions = { uid: vm.metadata.uid };
    if (!isDeleting(vm)) await ifPresent(client.delete(vsphereVms, keyOf(vm), { signal, preconditions }));
    return report(context, balancer, waiting(reasons.deleting, `VSphereVM ${vm.metadata.name} is being deleted`));
  }
  await deleteSecrets(context, balancer);
  await releaseFinalizer(context, haproxyLoadBalancers, balancer, vsphereFinalizers.haproxyLoadBalancer);
  return done();
}
