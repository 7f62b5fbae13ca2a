import { ClusterDisconnected, clusters, labels, openReconcile } from '@slipway/cluster-api';
import { isReason, parseApiVersion } from '@slipway/kube';
import {
  done,
  FencedError,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  retry,
  wait,
} from '@slipway/runtime';
import { kubeadmConditions, kubeadmControlPlanes, kubeadmFinalizers } from '../api/index.js';
import { carryOutPlan } from './carry-out-plan.js';
import { reconcileCertificates, reconcileKubeconfig } from './cluster-secrets.js';
import { ControlPlaneScope, type ControlPlaneDependencies } from './control-plane-scope.js';
import { planControlPlane } from './control-plane-planner.js';
import { summaries, updateStatus } from './control-plane-status.js';
import {
  type ClusterView,
  hasEndpoint,
  isEtcdManaged,
  isInitialized,
  isProvisioned,
  type ObservedControlPlane,
} from './control-plane.js';
import { deleteControlPlane } from './delete-control-plane.js';
import { controlledMachines, findMachines } from './find-machines.js';
import { ownInfrastructureTemplate } from './infrastructure-template.js';
import { detectInitialized, inspectControlPlane, unknownHealth } from './inspect-control-plane.js';
import { removeOrphans } from './create-machine.js';
import { nextRolloutMs } from './rollout-reasons.js';
import { syncMachines } from './sync-machines.js';
import { watchWorkload } from './watch-workload.js';

/** Reconciles a control plane: makes at most one structural change, then updates the status. */
export async function reconcileControlPlane(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ControlPlaneDependencies,
): Promise<Outcome> {
  const controlPlane = context.sources.sourceFor(kubeadmControlPlanes).get(key);
  if (controlPlane === undefined) return done();
  const cluster = ownerCluster(context, controlPlane);
  if (cluster === undefined)
    return wait({ reason: 'WaitingForClusterOwner', message: 'Cluster Controller has not yet set OwnerRef' });
  const finalizer = kubeadmFinalizers.kubeadmControlPlane;
  if (!(await openReconcile(context, kubeadmControlPlanes, controlPlane, { finalizer, cluster }))) return done();
  const scope = new ControlPlaneScope(context, dependencies, controlPlane, cluster);
  if (!(await findMachines(scope))) return done();
  const outcome = await attempt(scope, () =>
    isDeleting(controlPlane) ? deleteControlPlane(scope) : reconcileNormal(scope),
  );
  return close(scope, outcome);
}

/** Returns the Cluster. If it no longer exists, returns a view with only its name, so that the control plane can be deleted. */
function ownerCluster(context: ReconcileContext, controlPlane: ObservedControlPlane): ClusterView | undefined {
  const { metadata } = controlPlane;
  const { namespace = '' } = metadata;
  const owner = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === clusters.kind && parseApiVersion(apiVersion).group === clusters.group,
  );
  const name = owner?.name ?? '';
  const found = context.sources.sourceFor(clusters).get({ namespace, name }) as ClusterView | undefined;
  if (found !== undefined || !isDeleting(controlPlane)) return found;
  const [machine] = controlledMachines(context, controlPlane);
  const known = owner?.name ?? metadata.labels?.[labels.clusterName] ?? machine?.spec.clusterName ?? '';
  return {
    apiVersion: `${clusters.group}/${clusters.version}`,
    kind: clusters.kind,
    metadata: { name: known, namespace },
  };
}

async function attempt(scope: ControlPlaneScope, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FencedError) throw error;
    if (error instanceof ClusterDisconnected) return waitForConnection(scope, error);
    return retry(error instanceof Error ? error : new Error(String(error), { cause: error }));
  }
}

/**
 * Waits for the connection, which the cluster cache reports. Until then only the end of the conditions' grace period is
 * scheduled.
 */
function waitForConnection(scope: ControlPlaneScope, { message }: ClusterDisconnected): Outcome {
  scope.isIncomplete = true;
  const { graceLeftMs } = unknownHealth(scope);
  return wait({ ...(graceLeftMs !== undefined && { ms: graceLeftMs }), reason: 'ClusterDisconnected', message });
}

/** Runs the phases of a control plane in order. The first that has to wait ends the reconcile. */
async function reconcileNormal(scope: ControlPlaneScope): Promise<Outcome> {
  const problem = await ownInfrastructureTemplate(scope);
  if (!isProvisioned(scope.cluster))
    return waitForCluster(scope, 'Waiting for Cluster status.infrastructureReady to be true');
  const certificates = await reconcileCertificates(scope);
  if (certificates !== undefined) return certificates;
  if (!hasEndpoint(scope.cluster))
    return waitForCluster(scope, 'Waiting for Cluster spec.controlPlaneEndpoint to be set');
  const kubeconfig = await reconcileKubeconfig(scope);
  if (kubeconfig !== undefined) return kubeconfig;
  await removeOrphans(scope);
  await syncMachines(scope);
  await detectInitialized(scope);
  await watchWorkload(scope);
  await inspectControlPlane(scope);
  const outcome = await carryOutPlan(scope, planControlPlane(scope.view));
  const hasTimer = outcome.type === 'wait' && outcome.ms !== undefined;
  return problem === undefined || hasTimer ? outcome : retry(problem);
}

function waitForCluster(scope: ControlPlaneScope, message: string): Outcome {
  const unknown = { status: 'Unknown', reason: 'InspectionFailed', message } as const;
  if (isEtcdManaged(scope.controlPlane))
    scope.setConditions({ type: kubeadmConditions.etcdClusterHealthy, ...unknown });
  scope.setConditions({ type: kubeadmConditions.controlPlaneComponentsHealthy, ...unknown });
  return wait({ reason: 'WaitingForCluster', message });
}

/** Writes the status regardless of the outcome. */
async function close(scope: ControlPlaneScope, outcome: Outcome): Promise<Outcome> {
  const reported = await attempt(scope, async () => {
    updateStatus(scope);
    return done();
  });
  const joined = reported.type === 'retry' ? joinOutcomes([outcome, reported]) : outcome;
  const failed = joined.type === 'retry' || joined.type === 'terminal' || scope.isIncomplete;
  const generation = scope.original.metadata.generation;
  if (!failed && generation !== undefined)
    scope.update((draft) => {
      draft.status ??= {};
      draft.status.observedGeneration = generation;
    });
  try {
    await scope.context.change({
      verb: 'patch',
      resource: kubeadmControlPlanes,
      before: scope.original,
      after: scope.controlPlane,
      ownedConditions: 'all',
      summaries,
      reason: 'StatusUpdated',
      message: 'Updated status',
    });
  } catch (error) {
    if (!isDeleting(scope.original) || !isReason(error, 'NotFound')) throw error;
  }
  return joined.type === 'done' || (joined.type === 'wait' && joined.ms === undefined)
    ? requeue(scope, joined)
    : joined;
}

/** Fallback interval. Watches and the cluster cache usually report earlier. */
const notInitializedRetryMs = 20_000;
const unhealthyRetryMs = 20_000;
const resyncMs = 600_000;
/** Retry interval once the API server responds: kubeadm will soon write its ConfigMap, which is not watched. */
const kubeadmConfigRetryMs = 2_000;

function requeue(scope: ControlPlaneScope, outcome: Outcome): Outcome {
  const { controlPlane } = scope;
  if (isDeleting(controlPlane)) return outcome;
  if (!isInitialized(controlPlane)) {
    const isConnected = scope.dependencies.workloads.connectedCluster(scope.clusterKey) !== undefined;
    return wait({
      ms: isConnected ? kubeadmConfigRetryMs : notInitializedRetryMs,
      reason: 'WaitingForInitialization',
      message: 'Waiting for the first control plane Machine to be initialized',
    });
  }
  if (scope.condition(kubeadmConditions.controlPlaneComponentsHealthy)?.status === 'False')
    return wait({
      ms: unhealthyRetryMs,
      reason: 'WaitingForControlPlaneHealth',
      message: 'Waiting for control plane components to become healthy',
    });
  const ms = nextRolloutMs(controlPlane, scope.observedMachines, scope.nowMs);
  // Do not schedule a reconcile that would be later than the next resync.
  if (ms === undefined || ms > resyncMs) return outcome;
  return wait({ ms, reason: 'WaitingForRollout', message: 'Waiting for the time of the scheduled rollout' });
}
