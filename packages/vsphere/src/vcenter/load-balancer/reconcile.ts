import { clusterOf, keysOfCluster, machines, type ObservedCluster, openReconcile, reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type Conditioned,
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  FencedError,
  getCondition,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  ownerReference,
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
import type { VCenterDependencies } from '../dependencies.js';
import { balancedServers } from './balanced-servers.js';
import { DataPlane } from './data-plane.js';
import type { DataPlaneCredentials } from './data-plane-credentials.js';
import { haproxyPorts, loadBalancerConfiguration } from './haproxy-configuration.js';
import { ensureVm, vmOf } from './load-balancer-vm.js';
import { deleteSecrets, ensureBootstrapData, ensureCredentials, ensureIdentity } from './secrets.js';

type LoadBalancer = Frozen<HaproxyLoadBalancer>;
type Dependencies = Pick<VCenterDependencies, 'reachGuest'>;

interface ServedCluster {
  readonly cluster: ObservedCluster;
  readonly vsphereCluster: Frozen<VSphereCluster>;
}

/** Reconciles a load balancer: a virtual machine with HAProxy, which is cloned before the other machines of its cluster. */
export async function reconcileLoadBalancer(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: Dependencies,
): Promise<Outcome> {
  const balancer = context.sources.sourceFor(haproxyLoadBalancers).get(key);
  if (balancer === undefined) return done();
  const cluster = clusterOf(context.sources, { metadata: balancer.metadata });
  const finalizer = vsphereFinalizers.haproxyLoadBalancer;
  if (!(await openReconcile(context, haproxyLoadBalancers, balancer, { finalizer, cluster }))) return done();
  if (isDeleting(balancer)) return remove(context, balancer);
  const vsphereCluster = vsphereClusterOf(context.sources, cluster);
  if (cluster === undefined || vsphereCluster === undefined) {
    return report(
      context,
      balancer,
      waiting('WaitingForCluster', 'Waiting for the Cluster and the VSphereCluster to exist'),
    );
  }
  if (isDeleting(vsphereCluster)) return leave(context, balancer, cluster);
  const progress = await provision(context, dependencies, balancer, { cluster, vsphereCluster }).catch(
    (error: unknown) => {
      if (error instanceof FencedError || context.signal.aborted) throw error;
      return failed(error);
    },
  );
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
  dependencies: Dependencies,
  balancer: LoadBalancer,
  served: ServedCluster,
): Promise<Progress> {
  const { signal } = context;
  const owned = edit(balancer, (draft) =>
    ensureOwnerReference(draft.metadata, ownerReference(served.vsphereCluster, { controller: true })),
  );
  await context.change({
    verb: 'patch',
    resource: haproxyLoadBalancers,
    before: balancer,
    after: owned,
    reason: 'OwnerMissing',
    message: `Set the owner reference to VSphereCluster ${served.vsphereCluster.metadata.name ?? ''}`,
  });
  const credentials = await ensureCredentials(context, balancer);
  await ensureBootstrapData(context, balancer, credentials);
  const vm = await ensureVm(context, balancer, served.vsphereCluster);
  const address = vm.status?.ready === true ? vm.status.addresses?.find((each) => each !== '') : undefined;
  if (address === undefined) return mirrored(vm);
  await publishEndpoint(context, served, dependencies.reachGuest(address));
  try {
    await configure(context, dependencies, balancer, served, { credentials, address });
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error;
    return failed(error, address);
  }
  return { status: 'True', reason: reasons.ready, message: '', outcome: done(), address };
}

/** Returns the progress of the VSphereVM. Its changes are watched. */
function mirrored(vm: ObservedVm): Progress {
  const condition = getCondition(vm as Conditioned, vsphereConditions.virtualMachineProvisioned);
  if (condition?.status === 'False') return waiting(condition.reason, condition.message ?? '');
  return waiting('WaitingForVirtualMachine', `Waiting for VSphereVM ${vm.metadata.name} to become ready`);
}

/** Writes the endpoint to the VSphereCluster, unless the Cluster or the VSphereCluster already has one. */
async function publishEndpoint(
  context: ReconcileContext,
  { cluster, vsphereCluster }: ServedCluster,
  host: string,
): Promise<void> {
  const given = [cluster, vsphereCluster].some(({ spec }) => (spec.controlPlaneEndpoint?.host ?? '') !== '');
  if (given) return;
  const after = edit(vsphereCluster, (draft) => {
    draft.spec.controlPlaneEndpoint = { host, port: haproxyPorts.api };
  });
  await context.change({
    verb: 'patch',
    resource: vsphereClusters,
    before: vsphereCluster,
    after,
    reason: 'EndpointKnown',
    message: `Set the control plane endpoint to the load balancer at ${host}:${haproxyPorts.api}`,
  });
}

async function configure(
  context: ReconcileContext,
  dependencies: Dependencies,
  balancer: LoadBalancer,
  { cluster }: ServedCluster,
  { credentials, address }: { readonly credentials: DataPlaneCredentials; readonly address: string },
): Promise<void> {
  const { sources, clock, signal } = context;
  const identity = await ensureIdentity(context, balancer, credentials, address);
  const source = sources.sourceFor(machines);
  const found = keysOfCluster(sources, machines, keyOf(cluster)).flatMap((key) => source.get(key) ?? []);
  const servers = balancedServers(found, cluster.status?.initialization?.controlPlaneInitialized === true);
  const text = loadBalancerConfiguration(credentials, servers);
  const dataPlane = new DataPlane({ host: dependencies.reachGuest(address), credentials, identity, clock, signal });
  try {
    const version = await dataPlane.versionToReplace(text);
    if (version === undefined) return;
    await context.change({
      verb: 'call',
      resource: haproxyLoadBalancers,
      key: keyOf(balancer),
      action: 'configure HAProxy',
      reason: 'ServersChanged',
      // The message does not contain the configuration, which contains the password.
      message: `Set the load balancer backends to ${servers.length === 0 ? 'no servers' : servers.map(({ name }) => name).join(', ')}`,
      run: () => dataPlane.replace(version, text),
      assume: () => undefined,
    });
  } finally {
    dataPlane.close();
  }
}

async function report(
  context: ReconcileContext,
  balancer: LoadBalancer,
  { status, reason, message, outcome, address }: Progress,
): Promise<Outcome> {
  const nowMs = context.clock.now();
  const after = edit(balancer, (draft: Thawed<LoadBalancer>) => {
    draft.status ??= {};
    if (address !== undefined) Object.assign(draft.status, { address, ready: true });
    setCondition(draft as ConditionTarget, { type: vsphereConditions.ready, status, reason, message }, nowMs);
  });
  await context.change({
    verb: 'status',
    resource: haproxyLoadBalancers,
    before: balancer,
    after,
    ownedConditions: [vsphereConditions.ready],
    reason,
    message: message === '' ? 'HAProxy is configured' : message,
  });
  return outcome;
}

/** Deletes the load balancer after all machines of its cluster, while the credentials for vCenter still exist. */
async function leave(context: ReconcileContext, balancer: LoadBalancer, cluster: ObservedCluster): Promise<Outcome> {
  const left = keysOfCluster(context.sources, vsphereMachines, keyOf(cluster)).length;
  if (left > 0) return wait({ reason: reasons.deleting, message: `Waiting for deletion of ${left} VSphereMachines` });
  await context.change({
    verb: 'delete',
    resource: haproxyLoadBalancers,
    key: keyOf(balancer),
    options: { preconditions: { uid: balancer.metadata.uid } },
    reason: reasons.deleting,
    message: 'Deleted the load balancer: the VSphereCluster is being deleted and has no machines left',
  });
  return done();
}

async function remove(context: ReconcileContext, balancer: LoadBalancer): Promise<Outcome> {
  const vm = vmOf(context, balancer);
  if (vm !== undefined && vm.metadata.ownerReferences?.some(({ uid }) => uid === balancer.metadata.uid) === true) {
    if (!isDeleting(vm))
      await context.change({
        verb: 'delete',
        resource: vsphereVms,
        key: keyOf(vm),
        options: { preconditions: { uid: vm.metadata.uid } },
        reason: reasons.deleting,
        message: `Deleted VSphereVM ${vm.metadata.name}: its HAProxyLoadBalancer is being deleted`,
      });
    return report(context, balancer, waiting(reasons.deleting, `VSphereVM ${vm.metadata.name} is being deleted`));
  }
  await deleteSecrets(context, balancer);
  await releaseFinalizer(context, haproxyLoadBalancers, balancer, vsphereFinalizers.haproxyLoadBalancer);
  return done();
}
