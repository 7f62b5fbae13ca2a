import { createHash } from 'node:crypto';
import { clusters, connectedCluster, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ClusterCache,
  ClusterDisconnected,
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  type Fence,
  getCondition,
  ifPresent,
  isDeleting,
  isPaused,
  type NewCondition,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  setCondition,
  wait,
  type WorkloadCluster,
} from '@slipway/runtime';
import { type VSphereCluster, vsphereClusters } from '@slipway/vsphere';
import {
  clusterCondition as type,
  DriverError,
  hostedVdoConfig,
  operatorNamespace,
  remedyOf,
  type VdoConfig,
  vdoConfigs,
} from '../api/index.js';
import { writeObjects } from '../command/write-objects.js';
import type { HostedOperators } from './hosted-operators.js';
import { type RequestedDrivers, requestedDrivers } from './requested-drivers.js';
import { wantedObjects } from './wanted-objects.js';

export interface ClusterDriversWorld {
  readonly workloads: ClusterCache;
  readonly operators: HostedOperators;
  /** Whether and how long this process may act on a cluster. */
  readonly fenceFor: (cluster: ObservedCluster) => Fence | undefined;
}

const configKey = { namespace: operatorNamespace, name: hostedVdoConfig };

/** The drivers that a Cluster asks for: what they need is brought into its workload cluster, and their operator runs here. */
export async function reconcileClusterDrivers(
  key: ObjectKey,
  context: ReconcileContext,
  world: ClusterDriversWorld,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  // With the cluster its drivers go: nothing has to be taken down one by one.
  if (cluster === undefined || isDeleting(cluster)) {
    await world.operators.stop(key);
    return done();
  }
  const vsphereCluster = vsphereClusterOf(cluster, context);
  if (vsphereCluster === undefined || isPaused(cluster, cluster)) return done();
  try {
    const request = requestedDrivers(cluster);
    return request === undefined
      ? await withdraw(cluster, key, context, world)
      : await provide(cluster, vsphereCluster, request, context, world);
  } catch (error) {
    if (error instanceof ClusterDisconnected) {
      await world.operators.stop(key);
      return tell(cluster, disconnected(error), context);
    }
    if (error instanceof DriverError) return tell(cluster, failed(error), context);
    throw error;
  }
}

function vsphereClusterOf(cluster: ObservedCluster, { sources }: ReconcileContext): Frozen<VSphereCluster> | undefined {
  const { infrastructureRef: reference } = cluster.spec;
  if (reference?.kind !== vsphereClusters.kind || reference.apiGroup !== vsphereClusters.group) return undefined;
  return sources.sourceFor(vsphereClusters).get({ namespace: cluster.metadata.namespace ?? '', name: reference.name });
}

async function provide(
  cluster: ObservedCluster,
  vsphereCluster: Frozen<VSphereCluster>,
  request: RequestedDrivers,
  context: ReconcileContext,
  world: ClusterDriversWorld,
): Promise<Outcome> {
  const { workloads, operators } = world;
  const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
  const objects = await wantedObjects(cluster, vsphereCluster, request, context);
  const workload = connectedCluster(workloads, key);
  const digest = createHash('sha256').update(JSON.stringify(objects)).digest('hex');
  const isThere = operators.digestOf(key, workload) === digest;
  const config = isThere ? await ifPresent(workload.read.get(vdoConfigs, configKey, context)) : undefined;
  if (config === undefined) await writeObjects(context, objects, { signal: context.signal, on: workload });
  const fence = world.fenceFor(cluster);
  if (fence === undefined) return done();
  await operators.run(key, workload, fence, digest);
  const follow = (): void => context.enqueue(key);
  await workloads.watch(key, {
    name: 'cluster-drivers',
    resource: vdoConfigs,
    options: { namespace: configKey.namespace },
    handler: { added: follow, updated: follow, deleted: follow },
  });
  return tell(cluster, await found(workload, context), context);
}

/** What the VDOConfig in the workload cluster reports. */
async function found({ read }: WorkloadCluster, { signal }: ReconcileContext): Promise<NewCondition> {
  const config = await ifPresent(read.get(vdoConfigs, configKey, { signal }));
  const ready = config === undefined ? undefined : getCondition(config, 'Ready');
  if (ready === undefined)
    return { type, status: 'False', reason: 'WaitingForOperator', message: 'nothing is known of the drivers yet' };
  const summary = config?.status?.summary ?? '';
  const isReady = ready.status === 'True';
  return {
    type,
    status: ready.status,
    reason: ready.reason,
    message: isReady ? versions(config?.status ?? {}) : summary,
  };
}

function versions({ cloudProvider, storageProvider }: NonNullable<Frozen<VdoConfig>['status']>): string {
  const named = [
    ['CPI', cloudProvider?.installedVersion],
    ['CSI', storageProvider?.installedVersion],
  ] as const;
  return named.flatMap(([name, version]) => (version === undefined ? [] : [`${name} ${version}`])).join(', ');
}

/** The Cluster asks no longer. The drivers stay, unless its deletion policy says otherwise; what looked after them goes. */
async function withdraw(
  cluster: ObservedCluster,
  key: ObjectKey,
  context: ReconcileContext,
  { workloads, operators }: ClusterDriversWorld,
): Promise<Outcome> {
  if (getCondition(cluster, type) === undefined) {
    await operators.stop(key);
    return done();
  }
  const workload = connectedCluster(workloads, key);
  const config = await ifPresent(workload.read.get(vdoConfigs, configKey, { signal: context.signal }));
  if (config !== undefined) {
    const message = 'Deleted the VDOConfig: the Cluster no longer asks for drivers';
    if (!isDeleting(config))
      await context.change({
        verb: 'delete',
        on: workload,
        resource: vdoConfigs,
        key: configKey,
        reason: 'Withdrawing',
        message,
      });
    return wait({ reason: 'Withdrawing', message: 'the VDOConfig of the cluster is being deleted' });
  }
  await operators.stop(key);
  const after = edit(cluster, (draft) => deleteCondition(draft as ConditionTarget, type));
  await context.change({
    verb: 'status',
    resource: clusters,
    before: cluster,
    after,
    ownedConditions: [type],
    reason: 'DriversWithdrawn',
    message: 'Removed the condition of the drivers: the Cluster no longer asks for them',
  });
  return done();
}

const disconnected = ({ message }: ClusterDisconnected): NewCondition => ({
  type,
  status: 'Unknown',
  reason: 'ClusterDisconnected',
  message,
});
const failed = ({ reason, message }: DriverError): NewCondition => ({
  type,
  status: 'False',
  reason,
  message: `${message}; ${remedyOf(reason) ?? ''}`,
});

async function tell(cluster: ObservedCluster, condition: NewCondition, context: ReconcileContext): Promise<Outcome> {
  const before = getCondition(cluster, type);
  const after = edit(cluster, (draft) => setCondition(draft as ConditionTarget, condition, context.clock.now()));
  const { status, reason, message = '' } = condition;
  await context.change({
    verb: 'status',
    resource: clusters,
    before: cluster,
    after,
    ownedConditions: [type],
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  if (before?.status !== status || before.reason !== reason)
    context.events.record(cluster, {
      type: status !== 'False' || reason.startsWith('Waiting') ? 'Normal' : 'Warning',
      reason: status === 'True' ? 'DriversReady' : reason,
      message,
    });
  return status === 'True' ? done() : wait({ reason, message });
}
