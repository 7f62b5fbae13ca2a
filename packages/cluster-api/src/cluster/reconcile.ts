import { deepEqual } from '@slipway/kube';
import {
  done,
  edit,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { clusterClasses, clusters, finalizers, reasons } from '../api/index.js';
import { isGone, type ObservedCluster, runPhases } from '../reconcile/index.js';
import { clusterDueMs } from './cluster-conditions.js';
import { type ClusterScope, type ClusterSettings, recordEvent, statusOf } from './cluster-scope.js';
import { clusterStatus, ownedConditions } from './cluster-status.js';
import { descendantsOf } from './descendants.js';
import { reconcileDelete } from './reconcile-delete.js';
import { reconcileKubeconfig } from './reconcile-kubeconfig.js';
import { reconcileControlPlane, reconcileInfrastructure, reconcileOwnControlPlane } from './reconcile-providers.js';

/** One look at a cluster: its infrastructure, its control plane, what belongs to it, and how it comes and goes. */
export async function reconcileCluster(
  key: ObjectKey,
  context: ReconcileContext,
  settings: ClusterSettings,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  if (cluster === undefined) {
    settings.workloads.forget(key);
    return done();
  }
  const opening = { finalizer: finalizers.cluster, cluster, reportsPaused: true };
  if (!(await openReconcile(context, clusters, cluster, opening))) return done();
  const scope = openScope(key, context, settings, cluster);
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
  settings: ClusterSettings,
  cluster: ObservedCluster,
): ClusterScope {
  const classRef = cluster.spec.topology?.classRef;
  const classKey = classRef && { namespace: classRef.namespace ?? key.namespace, name: classRef.name };
  return {
    context,
    settings,
    key,
    clusterClass: classKey && context.sources.sourceFor(clusterClasses).get(classKey),
    descendants: descendantsOf(context.sources, key, { withPools: settings.featureGates.isOpen('MachinePool') }),
    nowMs: context.clock.now(),
    stored: cluster,
    cluster,
    infrastructure: { type: 'failed' },
    controlPlane: { type: 'failed' },
    deleting: { reason: reasons.deleting, message: 'Deletion started' },
  };
}

/** Opens the connection to the workload cluster for all who will need it. Nobody waits for it here: the cache tells. */
function connect({ cluster, settings, key }: ClusterScope): Outcome {
  if (cluster.status?.initialization?.infrastructureProvisioned !== true) return done();
  if (settings.workloads.connectedClient(key) === undefined) settings.workloads.client(key).catch(() => undefined);
  return done();
}

/**
 * First what is wanted, then how it is: what the status observes is the generation that this very look has made. It is only
 * told as observed when nothing went wrong.
 */
async function writeCluster(scope: ClusterScope, outcome: Outcome): Promise<Outcome> {
  const { settings, key } = scope;
  const { client, signal } = scope.context;
  const { status, ...body } = scope.cluster;
  const wanted: ObservedCluster = { ...body, ...(scope.stored.status && { status: scope.stored.status }) };
  const stored = await patchObject(client, clusters, scope.stored, wanted, { signal });
  if (isGone(stored)) return done();
  // Somebody else has written the status since it was read: that event brings us back, to look at what they say.
  if (!deepEqual(stored.status, scope.stored.status)) return done();
  const input = {
    ...scope,
    cluster: { ...stored, ...(status && { status }) },
    health: settings.workloads.health(key),
    remoteConnectionGraceMs: settings.remoteConnectionGraceMs,
  };
  const isFine = outcome.type === 'done' || outcome.type === 'wait';
  const { generation } = stored.metadata;
  const after = edit(clusterStatus(input), (draft) => {
    if (isFine && generation !== undefined) statusOf(draft).observedGeneration = generation;
  });
  await patchObject(client, clusters, stored, after, { signal, ownedConditions });
  tellPhase(scope, after);
  const dueMs = clusterDueMs(input);
  if (dueMs === undefined) return done();
  return wait({ ms: dueMs, reason: 'ConditionDue', message: 'a condition changes when time has passed' });
}

function tellPhase(scope: ClusterScope, cluster: ObservedCluster): void {
  const { phase } = cluster.status ?? {};
  if (phase === undefined || phase === scope.stored.status?.phase) return;
  recordEvent(scope, { type: 'Normal', reason: phase, message: `Cluster ${scope.key.name} is ${phase}` });
}
