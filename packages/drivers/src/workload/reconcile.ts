import { createHash } from 'node:crypto';
import {
  type ClusterCache,
  ClusterDisconnected,
  clusters,
  connectedCluster,
  isPaused,
  type ObservedCluster,
  type WorkloadCluster,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  type Fence,
  getCondition,
  ifPresent,
  isDeleting,
  type NewCondition,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  setCondition,
  wait,
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
import { desiredObjects } from './desired-objects.js';

export interface ClusterDriversDependencies {
  readonly workloads: ClusterCache;
  readonly operators: HostedOperators;
  /** Returns the fence of a cluster, which closes when this process loses its lease for it. */
  readonly fenceFor: (cluster: ObservedCluster) => Fence | undefined;
}

const configKey = { namespace: operatorNamespace, name: hostedVdoConfig };

/** Reconciles the drivers that a Cluster requests: writes their objects to the workload cluster, and runs their operator. */
export async function reconcileClusterDrivers(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ClusterDriversDependencies,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  // The operator is stopped. The drivers are deleted together with the workload cluster.
  if (cluster === undefined || isDeleting(cluster)) {
    await dependencies.operators.stop(key);
    return done();
  }
  const vsphereCluster = vsphereClusterOf(cluster, context);
  if (vsphereCluster === undefined || isPaused(cluster, cluster)) return done();
  try {
    const request = requestedDrivers(cluster);
    return request === undefined
      ? await withdraw(cluster, key, context, dependencies)
      : await provide(cluster, vsphereCluster, request, context, dependencies);
  } catch (error) {
    if (error instanceof ClusterDisconnected) {
      await dependencies.operators.stop(key);
      return report(cluster, disconnected(error), context);
    }
    if (error instanceof DriverError) return report(cluster, failed(error), context);
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
  dependencies: ClusterDriversDependencies,
): Promise<Outcome> {
  const { workloads, operators } = dependencies;
  const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
  const objects = await desiredObjects(cluster, vsphereCluster, request, context);
  const workload = connectedCluster(workloads, key);
  const digest = createHash('sha256').update(JSON.stringify(objects)).digest('hex');
  const isThere = operators.digestOf(key, workload) === digest;
  const config = isThere ? await ifPresent(workload.read.get(vdoConfigs, configKey, context)) : undefined;
  if (config === undefined) await writeObjects(context, objects, { signal: context.signal, on: workload });
  const fence = dependencies.fenceFor(cluster);
  if (fence === undefined) return done();
  await operators.run(key, workload, fence, digest);
  const follow = (): void => context.enqueue(key);
  await workloads.watch(key, {
    name: 'cluster-drivers',
    resource: vdoConfigs,
    options: { namespace: configKey.namespace },
    handler: { added: follow, updated: follow, deleted: follow },
  });
  return report(cluster, await found(workload, context), context);
}

/** Returns a condition that mirrors the VDOConfig of the workload cluster. */
async function found({ read }: WorkloadCluster, { signal }: ReconcileContext): Promise<NewCondition> {
  const config = await ifPresent(read.get(vdoConfigs, configKey, { signal }));
  const ready = config === undefined ? undefined : getCondition(config, 'Ready');
  if (ready === undefined)
    return {
      type,
      status: 'False',
      reason: 'WaitingForOperator',
      message: 'Waiting for the operator to report the state of the drivers',
    };
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

/** Stops the operator of a Cluster that no longer requests drivers. The drivers are kept unless the deletion policy is Delete. */
async function withdraw(
  cluster: ObservedCluster,
  key: ObjectKey,
  context: ReconcileContext,
  { workloads, operators }: ClusterDriversDependencies,
): Promise<Outcome> {
  if (getCondition(cluster, type) === undefined) {
    await operators.stop(key);
    return done();
  }
  const workload = connectedCluster(workloads, key);
  const config = await ifPresent(workload.read.get(vdoConfigs, configKey, { signal: context.signal }));
  if (config !== undefined) {
    const message = 'Deleted the VDOConfig: the Cluster no longer requests drivers';
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
    message: 'Removed the condition of the drivers: the Cluster no longer requests them',
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

async function report(cluster: ObservedCluster, condition: NewCondition, context: ReconcileContext): Promise<Outcome> {
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
