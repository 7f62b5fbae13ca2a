import type { Frozen, KubeObject } from '@slipway/kube';
import { done, isDeleting, type Outcome, ownerReference, ReconcileError, wait } from '@slipway/runtime';
import { clusters } from '../api/index.js';
import {
  claimReference,
  controlPlane,
  type Endpoint,
  failureOf,
  infrastructureCluster,
  isValidEndpoint,
  noteFailure,
  type ObjectReference,
  providerReadyV1beta1,
  type ProviderState,
} from '../contract/index.js';
import {
  getV1beta1Condition,
  markFalse,
  markTrue,
  setV1beta1Condition,
  type V1beta1Conditioned,
} from '../toolkit/index.js';
import { changeCluster, changeV1beta1, type ClusterScope, recordEvent, statusOf } from './cluster-scope.js';

/** Fallback interval while a provider object is missing: no watch reports the installation of its CRD, and caches may lag. */
const missingObjectRetryMs = 30_000;

type Found = Extract<ProviderState, { type: 'found' }>;

/** Waits for the infrastructure cluster, and copies its endpoint and failure domains to the Cluster. */
export async function reconcileInfrastructure(scope: ClusterScope): Promise<Outcome> {
  const { infrastructureRef, topology } = scope.cluster.spec;
  if (infrastructureRef === undefined) {
    // Without a reference there is nothing to wait for, unless a topology is going to set the reference.
    if (!isDeleting(scope.cluster) && topology === undefined) {
      setInitialized(scope, 'infrastructureProvisioned');
      changeV1beta1(scope, (target) => markTrue(target, 'InfrastructureReady', scope.nowMs));
    }
    return done();
  }
  try {
    scope.infrastructure = await readProviderObject(scope, infrastructureRef);
  } catch (error) {
    scope.infrastructure = { type: 'failed', error };
    throw error;
  }
  if (scope.infrastructure.type === 'found') return copyInfrastructure(scope, scope.infrastructure);
  const was = scope.cluster.status?.initialization?.infrastructureProvisioned === true;
  return reportMissing(scope, infrastructureRef, was ? 'provisioned' : undefined);
}

function reportMissing(
  scope: ClusterScope,
  reference: ObjectReference,
  achieved: 'provisioned' | 'initialized' | undefined,
): Outcome {
  if (isDeleting(scope.cluster)) return done();
  const { kind, name } = reference;
  if (achieved === undefined)
    return wait({ ms: missingObjectRetryMs, reason: 'ObjectDoesNotExist', message: `${kind} ${name} does not exist` });
  throw new ReconcileError('ObjectDeleted', `${kind} has been deleted after being ${achieved}`, {
    retry: 'later',
    remedy: `restore ${kind} ${name}, or delete the Cluster`,
  });
}

function copyInfrastructure(scope: ClusterScope, { kind, object }: Found): Outcome {
  const read = infrastructureCluster.read(object, kind.contract);
  mirrorReady(scope, 'InfrastructureReady', object, read.provisioned, 'WaitingForInfrastructure');
  if (isDeleting(object)) return done();
  const was = scope.cluster.status?.initialization?.infrastructureProvisioned === true;
  if (!read.provisioned && !was) return done();
  copyEndpoint(scope, read.endpoint);
  changeCluster(scope, (draft) => {
    const status = statusOf(draft);
    if (read.failureDomains.length > 0) status.failureDomains = [...read.failureDomains];
    else delete status.failureDomains;
  });
  if (!was) {
    const message = `Cluster ${scope.key.name} InfrastructureProvisioned is now True`;
    recordEvent(scope, { type: 'Normal', reason: 'InfrastructureReady', message });
  }
  setInitialized(scope, 'infrastructureProvisioned');
  return done();
}

/** Waits for the control plane to be initialized. */
export async function reconcileControlPlane(scope: ClusterScope): Promise<Outcome> {
  const { controlPlaneRef } = scope.cluster.spec;
  if (controlPlaneRef === undefined) return done();
  try {
    scope.controlPlane = await readProviderObject(scope, controlPlaneRef);
  } catch (error) {
    scope.controlPlane = { type: 'failed', error };
    throw error;
  }
  if (scope.controlPlane.type === 'found') return copyControlPlane(scope, scope.controlPlane);
  const was = scope.cluster.status?.initialization?.controlPlaneInitialized === true;
  return reportMissing(scope, controlPlaneRef, was ? 'initialized' : undefined);
}

function copyControlPlane(scope: ClusterScope, { kind, object }: Found): Outcome {
  const read = controlPlane.read(object, kind.contract);
  mirrorReady(scope, 'ControlPlaneReady', object, read.initialized, 'WaitingForControlPlane');
  if (isDeleting(object)) return done();
  reportInitializedV1beta1(scope, read.initialized);
  const was = scope.cluster.status?.initialization?.controlPlaneInitialized === true;
  if (!read.initialized && !was) return done();
  copyEndpoint(scope, read.endpoint);
  if (!was) {
    const message = `Cluster ${scope.key.name} ControlPlaneInitialized is now True`;
    recordEvent(scope, { type: 'Normal', reason: 'ControlPlaneInitialized', message });
  }
  setInitialized(scope, 'controlPlaneInitialized');
  return done();
}

function reportInitializedV1beta1(scope: ClusterScope, initialized: boolean): void {
  const type = 'ControlPlaneInitialized';
  const message = 'Waiting for control plane provider to indicate the control plane has been initialized';
  const cause = { reason: 'WaitingForControlPlaneProviderInitialized', severity: 'Info', message } as const;
  changeV1beta1(scope, (target) => {
    if (getV1beta1Condition(target as V1beta1Conditioned, type)?.status === 'True') return;
    if (initialized) markTrue(target, type, scope.nowMs);
    else markFalse(target, type, cause, scope.nowMs);
  });
}

/** Sets the Cluster without a control plane object to initialized when a control plane Machine has a Node. */
export function reconcileOwnControlPlane(scope: ClusterScope): Outcome {
  if (scope.cluster.spec.controlPlaneRef !== undefined || scope.cluster.spec.topology !== undefined) return done();
  const type = 'ControlPlaneInitialized';
  const message = 'Waiting for the first control plane machine to have its status.nodeRef set';
  const hasNode = scope.descendants.controlPlaneMachines.some((machine) => machine.status?.nodeRef !== undefined);
  changeV1beta1(scope, (target) => {
    if (getV1beta1Condition(target as V1beta1Conditioned, type)?.status === 'True') return;
    if (hasNode) markTrue(target, type, scope.nowMs);
    else markFalse(target, type, { reason: 'MissingNodeRef', severity: 'Info', message }, scope.nowMs);
  });
  if (hasNode) setInitialized(scope, 'controlPlaneInitialized');
  return done();
}

/** Sets an initialization flag, which is never reset: conditions report later changes. */
function setInitialized(scope: ClusterScope, flag: 'infrastructureProvisioned' | 'controlPlaneInitialized'): void {
  changeCluster(scope, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, [flag]: true };
  });
}

/** Copies the endpoint from the first object that reports one. It never changes afterwards. */
function copyEndpoint(scope: ClusterScope, endpoint: Endpoint | undefined): void {
  if (endpoint === undefined || isValidEndpoint(scope.cluster.spec.controlPlaneEndpoint)) return;
  changeCluster(scope, (draft) => void (draft.spec.controlPlaneEndpoint = { ...endpoint }));
}

/** Reads a provider object that the Cluster references, and adopts it. */
async function readProviderObject(scope: ClusterScope, reference: ObjectReference): Promise<ProviderState> {
  const { cluster, key, dependencies } = scope;
  const state = await claimReference(scope.context, {
    reference,
    namespace: key.namespace,
    resource: clusters,
    map: dependencies.mapProviderObject,
    // The Cluster becomes the controller only of objects that its topology created. An object created by a user may
    // have another controller.
    owner: ownerReference(cluster, { controller: cluster.spec.topology !== undefined }),
    clusterName: key.name,
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) changeCluster(scope, (draft) => noteFailure(statusOf(draft), failure));
  return state;
}

/** Copies the deprecated Ready condition of a provider object, or derives it from the flag of the contract. */
function mirrorReady(
  scope: ClusterScope,
  type: 'InfrastructureReady' | 'ControlPlaneReady',
  object: Frozen<KubeObject>,
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const deleting = isDeleting(scope.cluster);
  const reason = deleting ? 'Deleting' : waitingReason;
  const fallback =
    flag && !deleting ? ({ status: 'True' } as const) : ({ status: 'False', severity: 'Info', reason } as const);
  const { lastTransitionTime: _time, ...condition } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...condition, type }, scope.nowMs));
}
