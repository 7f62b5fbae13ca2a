import { done, hasAnnotation, isDeleting, keyOf, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { clusterReasons, finalizers, internalErrorMessage, reasons, runtimeAnnotations } from '../api/index.js';
import { failureMessage, type ProviderState } from '../contract/index.js';
import { markFalse } from '../toolkit/index.js';
import { changeCluster, changeV1beta1, type ClusterScope } from './cluster-scope.js';
import { deleteChildren, pendingDeletion } from './descendants.js';

/** Fallback interval. Watches report every change that ends the wait. */
const descendantsRetryMs = 5_000;

/**
 * Deletes workers, then the control plane, then the infrastructure: deleting each of them cleanly requires the later
 * ones.
 */
export async function reconcileDelete(scope: ClusterScope): Promise<Outcome> {
  for (const step of [waitForHook, deleteDescendants, deleteControlPlane, deleteInfrastructure]) {
    const outcome = await step(scope);
    if (outcome !== undefined) return outcome;
  }
  scope.deleting = { reason: reasons.deletionCompleted, message: 'Deletion completed' };
  changeCluster(scope, (draft) => removeFinalizer(draft.metadata, finalizers.cluster));
  return done();
}

function waiting(scope: ClusterScope, reason: string, message: string, ms?: number): Outcome {
  scope.deleting = { reason, message };
  return wait({ reason, message, ...(ms !== undefined && { ms }) });
}

/** Waits for the BeforeClusterDelete hook, which runs before anything is deleted. */
async function waitForHook(scope: ClusterScope): Promise<Outcome | undefined> {
  const { featureGates } = scope.dependencies;
  if (!featureGates.isOpen('RuntimeSDK') || !featureGates.isOpen('ClusterTopology')) return undefined;
  if (scope.cluster.spec.topology === undefined || hasAnnotation(scope.cluster, runtimeAnnotations.okToDelete))
    return undefined;
  return waiting(scope, clusterReasons.waitingForBeforeDeleteHook, 'Waiting for BeforeClusterDelete hook');
}

async function deleteDescendants(scope: ClusterScope): Promise<Outcome | undefined> {
  try {
    await scope.context.changeAll(deleteChildren(scope.cluster, scope.descendants), { onError: 'continue' });
  } catch (error) {
    scope.deleting = { reason: reasons.internalError, message: internalErrorMessage };
    throw error;
  }
  const pending = pendingDeletion(scope.cluster, scope.descendants);
  if (pending.length === 0) return undefined;
  return waiting(scope, clusterReasons.waitingForWorkersDeletion, pending.join('\n'), descendantsRetryMs);
}

function deleteControlPlane(scope: ClusterScope): Promise<Outcome | undefined> {
  const kind = scope.cluster.spec.controlPlaneRef?.kind;
  if (kind === undefined) return Promise.resolve(undefined);
  const reason = clusterReasons.waitingForControlPlaneDeletion;
  return deletePart(scope, { state: scope.controlPlane, kind, reason, v1beta1: 'ControlPlaneReady' });
}

function deleteInfrastructure(scope: ClusterScope): Promise<Outcome | undefined> {
  const kind = scope.cluster.spec.infrastructureRef?.kind;
  if (kind === undefined) return Promise.resolve(undefined);
  const reason = clusterReasons.waitingForInfrastructureDeletion;
  return deletePart(scope, { state: scope.infrastructure, kind, reason, v1beta1: 'InfrastructureReady' });
}

interface Part {
  readonly state: ProviderState;
  readonly kind: string;
  readonly reason: string;
  readonly v1beta1: 'ControlPlaneReady' | 'InfrastructureReady';
}

async function deletePart(scope: ClusterScope, part: Part): Promise<Outcome | undefined> {
  const { state, kind } = part;
  if (state.type === 'missing') return partGone(scope, part);
  // The read failed. Wait for the retry, because the object may still exist.
  if (state.type === 'failed') return waiting(scope, reasons.internalError, failureMessage(state.error));
  if (!isDeleting(state.object)) {
    try {
      const left = await scope.context.change({
        verb: 'delete',
        resource: state.kind.resource,
        key: keyOf(state.object),
        reason: 'ClusterDeleted',
        message: `Deleted ${kind} ${state.object.metadata.name ?? ''}: Cluster ${scope.key.name} is being deleted`,
      });
      if (left === undefined) return partGone(scope, part);
    } catch (error) {
      scope.deleting = { reason: reasons.internalError, message: internalErrorMessage };
      throw error;
    }
  }
  return waiting(scope, part.reason, `Waiting for ${kind} to be deleted`);
}

function partGone(scope: ClusterScope, part: Part): undefined {
  const cause = { reason: 'Deleted', severity: 'Info', message: '' } as const;
  changeV1beta1(scope, (target) => markFalse(target, part.v1beta1, cause, scope.nowMs));
  return undefined;
}
