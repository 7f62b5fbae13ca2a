import { deepEqual } from '@slipway/kube';
import {
  type Cause,
  done,
  edit,
  hasFinalizer,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { clusterClasses, clusters, finalizers, reasons } from '../api/index.js';
import { formatEndpoint } from '../contract/index.js';
import { isGone, type ObservedCluster, runPhases } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import { clusterDueMs } from './cluster-conditions.js';
import { type ClusterScope, type ClusterDependencies, statusOf } from './cluster-scope.js';
import { clusterStatus, ownedConditions, summaries } from './cluster-status.js';
import { descendantsOf } from './descendants.js';
import { reconcileDelete } from './reconcile-delete.js';
import { reconcileKubeconfig } from './reconcile-kubeconfig.js';
import { reconcileControlPlane, reconcileInfrastructure, reconcileOwnControlPlane } from './reconcile-providers.js';

/** Reconciles a Cluster: its infrastructure, its control plane, its status and its deletion. */
export async function reconcileCluster(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ClusterDependencies,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  if (cluster === undefined) {
    dependencies.workloads.forget(key);
    return done();
  }
  const opening = { finalizer: finalizers.cluster, cluster, reportsPaused: true };
  if (!(await openReconcile(context, clusters, cluster, opening))) return done();
  const scope = openScope(key, context, dependencies, cluster);
  const outcome = await runPhases([
    () => reconcileInfrastructure(scope),
    () => reconcileControlPlane(scope),
    ...(isDeleting(cluster)
      ? [() => reconcileDelete(scope)]
      : [() => reconcileKubeconfig(scope), () => reconcileOwnControlPlane(scope), () => connect(scope)]),
  ]);
  return joinOutcomes([outcome, await writeCluster(scope, outcome)]);
}

function openScope(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ClusterDependencies,
  cluster: ObservedCluster,
): ClusterScope {
  const classRef = cluster.spec.topology?.classRef;
  const classKey = classRef && { namespace: classRef.namespace ?? key.namespace, name: classRef.name };
  return {
    context,
    dependencies,
    key,
    clusterClass: classKey && context.sources.sourceFor(clusterClasses).get(classKey),
    descendants: descendantsOf(context.sources, key, { withPools: dependencies.featureGates.isOpen('MachinePool') }),
    nowMs: context.clock.now(),
    stored: cluster,
    cluster,
    infrastructure: { type: 'failed' },
    controlPlane: { type: 'failed' },
    deleting: { reason: reasons.deleting, message: 'Deletion started' },
  };
}

/** Opens the connection to the workload cluster for all controllers. Does not wait: the cluster cache reports the connection. */
function connect({ cluster, dependencies, key }: ClusterScope): Outcome {
  const { workloads } = dependencies;
  if (cluster.status?.initialization?.infrastructureProvisioned !== true) return done();
  if (workloads.connectedCluster(key) === undefined) workloads.cluster(key).catch(() => undefined);
  return done();
}

/**
 * Writes metadata and spec first, then the status, so that the status observes the generation that this reconcile created.
 * observedGeneration is updated only if nothing failed.
 */
async function writeCluster(scope: ClusterScope, outcome: Outcome): Promise<Outcome> {
  const { dependencies, key, context } = scope;
  const { status, ...body } = scope.cluster;
  const after: ObservedCluster = { ...body, ...(scope.stored.status && { status: scope.stored.status }) };
  const before = scope.stored;
  const stored = await context.change({ verb: 'patch', resource: clusters, before, after, ...bodyCause(scope) });
  if (isGone(stored)) return done();
  // Another writer has changed the status since it was read. That change triggers the next reconcile.
  if (!deepEqual(stored.status, scope.stored.status)) return done();
  const input = {
    ...scope,
    cluster: { ...stored, ...(status && { status }) },
    health: dependencies.workloads.health(key),
    remoteConnectionGraceMs: dependencies.remoteConnectionGraceMs,
  };
  await writeStatus(scope, stored, clusterStatus(input), outcome);
  const dueMs = clusterDueMs(input);
  if (dueMs === undefined) return done();
  return wait({ ms: dueMs, reason: 'ConditionDue', message: 'Waiting for a condition that changes with time' });
}

/** Returns the reason for a change of metadata or spec: the end of a deletion, or a new endpoint. */
function bodyCause({ stored, key, cluster }: ClusterScope): Cause {
  if (hasFinalizer(stored, finalizers.cluster) && !hasFinalizer(cluster, finalizers.cluster)) {
    const message = `Cluster ${key.name} has been deleted`;
    return { reason: 'Deleted', message, event: { about: stored } };
  }
  const { host = '', port = 0 } = cluster.spec.controlPlaneEndpoint ?? {};
  return { reason: 'EndpointAvailable', message: `Set spec.controlPlaneEndpoint to ${formatEndpoint({ host, port })}` };
}

async function writeStatus(
  { context, stored, key }: ClusterScope,
  before: ObservedCluster,
  observed: ObservedCluster,
  outcome: Outcome,
): Promise<void> {
  const isFine = outcome.type === 'done' || outcome.type === 'wait';
  const { generation } = before.metadata;
  const after = edit(observed, (draft) => {
    if (isFine && generation !== undefined) statusOf(draft).observedGeneration = generation;
  });
  const { phase } = after.status ?? {};
  const cause: Cause =
    phase === undefined || phase === stored.status?.phase
      ? { reason: 'StatusUpdated', message: 'Updated status' }
      : { reason: phase, message: `Cluster ${key.name} is ${phase}`, event: { about: stored } };
  await context.change({ verb: 'status', resource: clusters, before, after, ownedConditions, summaries, ...cause });
}
