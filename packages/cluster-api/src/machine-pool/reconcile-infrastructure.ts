import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { done, isDeleting, markFalse, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { flagAt, listAt, numberAt } from '../contract/index.js';
import { changePool, changeV1beta1, type PoolPass, statusOf } from './pool-pass.js';
import { readProviderObject, setFailure } from './provider-objects.js';
import { mirrorReady } from './reconcile-bootstrap.js';

/** Copies what the infrastructure provider says of its pool. */
export async function reconcileInfrastructure(pass: PoolPass): Promise<Outcome> {
  const { infrastructureRef } = pass.pool.spec.template.spec;
  try {
    pass.infrastructure = await readProviderObject(pass, infrastructureRef);
  } catch (error) {
    pass.infrastructure = { type: 'failed', error };
    throw error;
  }
  if (pass.infrastructure.type !== 'found') return reportMissing(pass);
  const { object } = pass.infrastructure;
  if (isDeleting(object)) return done();
  // Of pools even the newest contract has `status.ready`, and what is ready now may not be ready later.
  const ready = flagAt(object, 'status', 'ready');
  mirrorReady(pass, 'InfrastructureReady', object, ready, 'WaitingForInfrastructure');
  changePool(pass, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, infrastructureProvisioned: ready };
  });
  return ready ? copyFields(pass, object) : done();
}

function reportMissing(pass: PoolPass): never {
  const { infrastructureRef } = pass.pool.spec.template.spec;
  const { kind, name } = infrastructureRef;
  const what = `${kind} ${pass.pool.metadata.namespace ?? ''}/${name}`;
  if (pass.pool.status?.initialization?.infrastructureProvisioned === true)
    setFailure(pass, {
      failureReason: 'InvalidConfiguration',
      failureMessage: `MachinePool infrastructure resource ${what} has been deleted after being ready`,
    });
  const message = `could not find infra reference of kind ${kind} with name ${name}`;
  changeV1beta1(pass, (target) =>
    markFalse(
      target,
      'InfrastructureReady',
      { reason: 'IncorrectExternalRef', severity: 'Error', message },
      pass.nowMs,
    ),
  );
  throw new ReconcileError('InfrastructureMissing', `${what} does not exist`, {
    retry: 'later',
    remedy: 'create it or correct spec.template.spec.infrastructureRef',
  });
}

function copyFields(pass: PoolPass, object: Frozen<KubeObject>): Outcome {
  const ids = listAt(object, 'spec', 'providerIDList').filter(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  const replicas = numberAt(object, 'status', 'replicas');
  if (replicas !== undefined) changePool(pass, (draft) => void (statusOf(draft).replicas = replicas));
  const existing = pass.pool.status?.replicas ?? 0;
  if (ids.length === 0 && existing !== 0) {
    const message = `${object.kind} has ${existing} replicas, but spec.providerIDList is empty`;
    return wait({ reason: 'WaitingForProviderIDs', message });
  }
  if (deepEqual(pass.pool.spec.providerIDList ?? [], ids)) return done();
  changePool(pass, (draft) => {
    draft.spec.providerIDList = ids;
    const status = statusOf(draft);
    const counters = { readyReplicas: 0, availableReplicas: 0, unavailableReplicas: existing };
    status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...counters } };
  });
  return done();
}
