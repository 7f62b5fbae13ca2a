import { annotations, ensureAddressPool, ownerClusterOf, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  hasAnnotation,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  wait,
} from '@slipway/runtime';
import { type KVMCluster, kvmClusters, kvmConditions, kvmFinalizers, kvmReasons } from '../api/index.js';
import { addressPoolSpec, allocatesAddresses } from '../machine/address.js';
import type { BackendName, VirtualMachineService, VmCondition } from '../machine/vm-service.js';
import { applyConditions, pausingOf } from '../report/index.js';
import { tellAttachment } from './attachment.js';
import type { EndpointProgress, EndpointService, ExposureType } from './endpoint-service.js';
import { machinesOf, membersOf } from './members.js';

type Observed = Frozen<KVMCluster>;

export interface ClusterWorld {
  readonly services: ReadonlyMap<BackendName, VirtualMachineService>;
  readonly endpoints: readonly EndpointService[];
  readonly backendDefault: BackendName;
}

const { networkReady, controlPlaneEndpointReady, loadBalancerReady, namespaceReady } = kvmConditions;
const readyTypes = [networkReady, controlPlaneEndpointReady];
const ownedConditions = [kvmConditions.ready, ...readyTypes, loadBalancerReady, namespaceReady];

/** What the machines of a cluster share: their network, and the one address at which their API servers answer. */
export async function reconcileKVMCluster(
  key: ObjectKey,
  context: ReconcileContext,
  world: ClusterWorld,
): Promise<Outcome> {
  const kvmCluster = context.sources.sourceFor(kvmClusters).get(key);
  if (kvmCluster === undefined || hasAnnotation(kvmCluster, annotations.managedBy)) return done();
  const cluster = ownerClusterOf(context.sources, kvmCluster);
  if (cluster === undefined && !isDeleting(kvmCluster))
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this KVMCluster yet' });
  const opened = { finalizer: kvmFinalizers.kvmCluster, cluster: pausingOf(kvmCluster, cluster) };
  if (!(await openReconcile(context, kvmClusters, kvmCluster, opened))) return done();
  try {
    return isDeleting(kvmCluster) || cluster === undefined
      ? await remove(kvmCluster, context, world)
      : await provision(kvmCluster, cluster, context, world);
  } catch (error) {
    // Another acts now, and tells.
    if (!(error instanceof FencedError))
      context.events.record(kvmCluster, {
        type: 'Warning',
        reason: 'failed-to-reconcile',
        message: (error as Error).message,
      });
    throw error;
  }
}

/** The endpoint stays as long as machines do: who drains their Nodes reaches the API server through it. */
async function remove(kvmCluster: Observed, context: ReconcileContext, world: ClusterWorld): Promise<Outcome> {
  const [left] = machinesOf(context.sources, kvmCluster);
  if (left !== undefined)
    return wait({
      reason: kvmReasons.waitingForMachines,
      message: `KVMMachine ${left.metadata.name ?? ''} is still there`,
    });
  for (const endpoint of world.endpoints) {
    const message = await endpoint.remove(kvmCluster, context);
    if (message !== undefined) return wait({ ms: lookAgainMs, reason: kvmReasons.deletionBlocked, message });
  }
  const leaving = await world.services.get(backendOf(kvmCluster, world))?.removeCluster?.(kvmCluster, context);
  if (leaving !== undefined) return leaving.outcome;
  await releaseFinalizer(context, kvmClusters, kvmCluster, kvmFinalizers.kvmCluster);
  return done();
}

const lookAgainMs = 10_000;

async function provision(
  kvmCluster: Observed,
  cluster: ObservedCluster,
  context: ReconcileContext,
  world: ClusterWorld,
): Promise<Outcome> {
  const backend = backendOf(kvmCluster, world);
  const hasPool = allocatesAddresses(kvmCluster, backend) && kvmCluster.spec?.network?.ipPoolRef === undefined;
  if (hasPool) await ensureAddressPool(context, kvmCluster, addressPoolSpec(kvmCluster));
  const shared = (await world.services.get(backend)?.ensureCluster?.(kvmCluster, context)) ?? [];
  const members = membersOf(machinesOf(context.sources, kvmCluster));
  const exposure = { ...kvmCluster.spec?.controlPlaneExposure, type: exposureTypeOf(kvmCluster, backend) };
  const service = world.endpoints.find(({ types }) => types.includes(exposure.type));
  const tell = (progress: EndpointProgress): Promise<void> =>
    write(context, kvmCluster, withProgress(kvmCluster, backend, progress, shared, context.clock.now()));
  const progress =
    service === undefined
      ? withoutService(exposure.type)
      : await service.ensure({ kvmCluster, cluster, backend, exposure, members }, context).catch(async (error) => {
          if (error instanceof ReconcileError) await tell(failureOf(error));
          throw error;
        });
  await tell(progress);
  await tellAttachment(context, members, progress.attached);
  return joinOutcomes([progress.outcome]);
}

function backendOf({ spec }: Observed, { backendDefault }: ClusterWorld): BackendName {
  return spec?.backend ?? backendDefault;
}

function exposureTypeOf({ spec }: Observed, backend: BackendName): ExposureType {
  return spec?.controlPlaneExposure?.type ?? (backend === 'pod' ? 'Service' : 'HAProxy');
}

function withoutService(type: ExposureType): EndpointProgress {
  const problem = { reason: kvmReasons.invalidSpec, message: `this manager cannot expose a control plane by ${type}` };
  return { problem, attached: [], outcome: wait(problem) };
}

/** What is wrong is said where people look, before it is tried again. Machines stay attached: nothing was found out of them. */
function failureOf({ reason, message }: ReconcileError): EndpointProgress {
  return { problem: { reason, message }, attached: [], outcome: done() };
}

/** The endpoint is in certificates and in every kubeconfig: what is set once stays. */
function withProgress(
  kvmCluster: Observed,
  backend: BackendName,
  { endpoint, problem }: EndpointProgress,
  shared: readonly VmCondition[],
  nowMs: number,
): Observed {
  const works: VmCondition = problem
    ? { type: controlPlaneEndpointReady, status: 'False', ...problem }
    : { type: controlPlaneEndpointReady, status: 'True', reason: 'Ready', message: '' };
  const balances: VmCondition = { ...works, type: loadBalancerReady };
  const network: VmCondition = { type: networkReady, status: 'True', reason: 'Ready', message: '' };
  return edit(kvmCluster, (draft) => {
    draft.spec ??= {};
    draft.spec.backend ??= backend;
    if (endpoint !== undefined) {
      draft.spec.controlPlaneEndpoint ??= {};
      draft.spec.controlPlaneEndpoint.host ??= endpoint.host;
      draft.spec.controlPlaneEndpoint.port ??= endpoint.port;
    }
    draft.status ??= {};
    const { status } = draft;
    const isThere = draft.spec.controlPlaneEndpoint?.host !== undefined && problem === undefined;
    if (isThere) status.initialization = { provisioned: true };
    if (status.initialization?.provisioned === true) status.ready = true;
    const domains = failureDomainsOf(kvmCluster);
    if (domains.length > 0) status.failureDomains = domains;
    status.observedGeneration = kvmCluster.metadata.generation ?? 0;
    applyConditions(draft, [network, ...shared, works, balances], readyTypes, nowMs);
  });
}

function failureDomainsOf({ spec }: Observed): { name: string; controlPlane: boolean }[] {
  return (spec?.failureDomains ?? []).map(({ name, controlPlane = false }) => ({ name, controlPlane }));
}

async function write({ client, signal }: ReconcileContext, before: Observed, after: Observed): Promise<void> {
  await patchObject(client, kvmClusters, before, after, { ownedConditions, signal });
}
