import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { done, isDeleting, type Outcome, ownerReference, ReconcileError, wait } from '@slipway/runtime';
import { machinePools } from '../api/index.js';
import {
  bootstrapConfig,
  claimReference,
  failureOf,
  flagAt,
  listAt,
  mapToReferrer,
  noteFailure,
  numberAt,
  type ObjectReference,
  type ProviderFailure,
  providerReadyV1beta1,
  type ProviderState,
} from '../contract/index.js';
import { markFalse, markTrue, setV1beta1Condition } from '../toolkit/index.js';
import { changePool, changeV1beta1, poolReferences, type PoolScope, statusOf } from './pool-scope.js';

/** Reads and adopts a provider object that the pool references. */
async function readProviderObject(scope: PoolScope, reference: ObjectReference): Promise<ProviderState> {
  const { context, pool } = scope;
  const state = await claimReference(context, {
    reference,
    namespace: pool.metadata.namespace ?? '',
    resource: machinePools,
    map: mapToReferrer(context.sources, machinePools, poolReferences),
    owner: ownerReference(pool, { controller: true }),
    clusterName: pool.spec.clusterName,
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) setFailure(scope, failure);
  return state;
}

function setFailure(scope: PoolScope, failure: ProviderFailure): void {
  changePool(scope, (draft) => noteFailure(statusOf(draft), failure));
}

/** Waits for the bootstrap data, and copies the name of its Secret. The name may change later. */
export async function reconcileBootstrap(scope: PoolScope): Promise<Outcome> {
  const { configRef, dataSecretName } = scope.pool.spec.template.spec.bootstrap;
  if (configRef === undefined) {
    if (dataSecretName === undefined) return done();
    setCreated(scope, true);
    changeV1beta1(scope, (target) => markTrue(target, 'BootstrapReady', scope.nowMs));
    return done();
  }
  try {
    scope.bootstrap = await readProviderObject(scope, configRef);
  } catch (error) {
    scope.bootstrap = { type: 'failed', error };
    throw error;
  }
  const { bootstrap } = scope;
  if (bootstrap.type !== 'found')
    throw new ReconcileError('BootstrapConfigMissing', `${configRef.kind} ${configRef.name} does not exist`, {
      retry: 'later',
      remedy: 'create it or correct spec.template.spec.bootstrap.configRef',
    });
  if (isDeleting(bootstrap.object)) return done();
  const read = bootstrapConfig.read(bootstrap.object, bootstrap.kind.contract);
  mirrorReady(scope, 'BootstrapReady', bootstrap.object, read.dataSecretCreated, 'WaitingForDataSecret');
  setCreated(scope, read.dataSecretCreated);
  if (read.dataSecretCreated) setDataSecret(scope, bootstrap.object, read.dataSecretName);
  return done();
}

function setCreated(scope: PoolScope, bootstrapDataSecretCreated: boolean): void {
  changePool(scope, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, bootstrapDataSecretCreated };
  });
}

function setDataSecret(scope: PoolScope, object: Frozen<KubeObject>, name: string | undefined): void {
  if (name === undefined)
    throw new ReconcileError(
      'DataSecretNameMissing',
      `${object.kind} ${object.metadata.name ?? ''} reports that its bootstrap data is ready, but status.dataSecretName is not set`,
      { retry: 'later', remedy: 'check the logs of the bootstrap provider' },
    );
  changePool(scope, (draft) => void (draft.spec.template.spec.bootstrap.dataSecretName = name));
}

/** Sets the deprecated condition of a provider object: mirrored from its Ready condition, or derived from its flag. */
function mirrorReady(
  scope: PoolScope,
  type: 'BootstrapReady' | 'InfrastructureReady',
  object: Frozen<KubeObject>,
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const fallback = flag
    ? ({ status: 'True' } as const)
    : ({ status: 'False', severity: 'Info', reason: waitingReason } as const);
  const { lastTransitionTime: _time, ...condition } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...condition, type }, scope.nowMs));
}

/** Copies the reported fields of the infrastructure object to the pool. */
export async function reconcileInfrastructure(scope: PoolScope): Promise<Outcome> {
  const { infrastructureRef } = scope.pool.spec.template.spec;
  try {
    scope.infrastructure = await readProviderObject(scope, infrastructureRef);
  } catch (error) {
    scope.infrastructure = { type: 'failed', error };
    throw error;
  }
  if (scope.infrastructure.type !== 'found') return reportMissing(scope);
  const { object } = scope.infrastructure;
  if (isDeleting(object)) return done();
  // The pool contract uses `status.ready` even in its latest version, and a ready pool may become unready.
  const ready = flagAt(object, 'status', 'ready');
  mirrorReady(scope, 'InfrastructureReady', object, ready, 'WaitingForInfrastructure');
  changePool(scope, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, infrastructureProvisioned: ready };
  });
  return ready ? copyFields(scope, object) : done();
}

function reportMissing(scope: PoolScope): never {
  const { infrastructureRef } = scope.pool.spec.template.spec;
  const { kind, name } = infrastructureRef;
  const what = `${kind} ${scope.pool.metadata.namespace ?? ''}/${name}`;
  if (scope.pool.status?.initialization?.infrastructureProvisioned === true)
    setFailure(scope, {
      failureReason: 'InvalidConfiguration',
      failureMessage: `MachinePool infrastructure resource ${what} has been deleted after being ready`,
    });
  const message = `could not find infra reference of kind ${kind} with name ${name}`;
  changeV1beta1(scope, (target) =>
    markFalse(
      target,
      'InfrastructureReady',
      { reason: 'IncorrectExternalRef', severity: 'Error', message },
      scope.nowMs,
    ),
  );
  throw new ReconcileError('InfrastructureMissing', `${what} does not exist`, {
    retry: 'later',
    remedy: 'create it or correct spec.template.spec.infrastructureRef',
  });
}

function copyFields(scope: PoolScope, object: Frozen<KubeObject>): Outcome {
  const ids = listAt(object, 'spec', 'providerIDList').filter(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  const replicas = numberAt(object, 'status', 'replicas');
  if (replicas !== undefined) changePool(scope, (draft) => void (statusOf(draft).replicas = replicas));
  const existing = scope.pool.status?.replicas ?? 0;
  if (ids.length === 0 && existing !== 0) {
    const message = `${object.kind} has ${existing} replicas, but spec.providerIDList is empty`;
    return wait({ reason: 'WaitingForProviderIDs', message });
  }
  if (deepEqual(scope.pool.spec.providerIDList ?? [], ids)) return done();
  changePool(scope, (draft) => {
    draft.spec.providerIDList = ids;
    const status = statusOf(draft);
    const counters = { readyReplicas: 0, availableReplicas: 0, unavailableReplicas: existing };
    status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...counters } };
  });
  return done();
}
