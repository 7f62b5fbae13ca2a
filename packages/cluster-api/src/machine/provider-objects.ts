import { type OwnerReference, parseApiVersion } from '@slipway/kube';
import { done, isDeleting, type Outcome, ownerReference, ReconcileError, wait } from '@slipway/runtime';
import { machines } from '../api/index.js';
import {
  bootstrapConfig,
  claimReference,
  failureOf,
  infrastructureMachine,
  type InfrastructureMachine,
  noteFailure,
  type ObjectReference,
  type ProviderFailure,
  providerReadyV1beta1,
  type ProviderState,
} from '../contract/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { markTrue, setV1beta1Condition } from '../toolkit/index.js';
import { changeMachine, changeV1beta1, type MachineScope, statusOf } from './machine-scope.js';

/** Reads and adopts a provider object that the machine references. */
async function readProviderObject(scope: MachineScope, reference: ObjectReference): Promise<ProviderState> {
  const { machine, dependencies } = scope;
  const state = await claimReference(scope.context, {
    reference,
    namespace: machine.metadata.namespace ?? '',
    resource: machines,
    map: dependencies.mapProviderObject,
    owner: ownerReference(machine, { controller: true }),
    clusterName: machine.spec.clusterName,
    // Remove the owner reference of the creator, which owned the object until the machine existed: it is deleted with the machine
    // now.
    isFormerOwner: (owner) => isMaker(scope, owner),
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) setFailure(scope, failure);
  return state;
}

function isMaker({ cluster, machine }: MachineScope, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = parseApiVersion(apiVersion);
  if (group === machines.group && kind === 'MachineSet') return true;
  const controlPlane = isControlPlaneMachine(machine) ? cluster?.spec.controlPlaneRef : undefined;
  return controlPlane !== undefined && group === controlPlane.apiGroup && kind === controlPlane.kind;
}

function setFailure(scope: MachineScope, failure: ProviderFailure): void {
  changeMachine(scope, (draft) => noteFailure(statusOf(draft), failure));
}

/** Fallback interval while a provider object is missing: no watch reports the installation of its CRD, and caches may lag. */
const missingObjectRetryMs = 30_000;

/** Waits for the bootstrap data, and records the name of its Secret. */
export async function reconcileBootstrap(scope: MachineScope): Promise<Outcome> {
  const { configRef, dataSecretName } = scope.machine.spec.bootstrap;
  if (configRef === undefined) {
    if (dataSecretName !== undefined) markCreated(scope);
    return done();
  }
  scope.bootstrap = { type: 'failed' };
  try {
    scope.bootstrap = await readProviderObject(scope, configRef);
  } catch (error) {
    scope.bootstrap = { type: 'failed', error };
    throw error;
  }
  if (dataSecretName !== undefined) markCreated(scope);
  if (scope.bootstrap.type === 'missing') {
    if (isDeleting(scope.machine)) return done();
    const message = `${configRef.kind} ${configRef.name} does not exist`;
    return wait({ ms: missingObjectRetryMs, reason: 'BootstrapConfigMissing', message });
  }
  if (scope.bootstrap.type === 'found' && dataSecretName === undefined) return copyDataSecret(scope, scope.bootstrap);
  return done();
}

function markCreated(scope: MachineScope): void {
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
  });
  changeV1beta1(scope, (target) => markTrue(target, 'BootstrapReady', scope.nowMs));
}

function copyDataSecret(scope: MachineScope, { kind, object }: Extract<ProviderState, { type: 'found' }>): Outcome {
  const { dataSecretCreated, dataSecretName } = bootstrapConfig.read(object, kind.contract);
  mirrorReady(scope, 'BootstrapReady', object, dataSecretCreated, 'WaitingForDataSecret');
  if (isDeleting(object) || !dataSecretCreated) return done();
  if (dataSecretName === undefined)
    throw new ReconcileError(
      'DataSecretNameMissing',
      `${object.kind} ${object.metadata.name ?? ''} reports that its bootstrap data is ready, but status.dataSecretName is not set`,
      { retry: 'later', remedy: 'check the logs of the bootstrap provider' },
    );
  changeMachine(scope, (draft) => {
    draft.spec.bootstrap.dataSecretName = dataSecretName;
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
  });
  return done();
}

/** Sets the deprecated condition of a provider object: mirrored from its Ready condition, or derived from its flag. */
function mirrorReady(
  scope: MachineScope,
  type: 'BootstrapReady' | 'InfrastructureReady',
  object: Extract<ProviderState, { type: 'found' }>['object'],
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const reason = isDeleting(scope.machine) ? 'Deleting' : waitingReason;
  const fallback = flag ? ({ status: 'True' } as const) : ({ status: 'False', severity: 'Info', reason } as const);
  const { lastTransitionTime: _time, ...condition } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...condition, type }, scope.nowMs));
}

/** Waits for the infrastructure provider to create the machine, and copies its fields. */
export async function reconcileInfrastructure(scope: MachineScope): Promise<Outcome> {
  const { infrastructureRef } = scope.machine.spec;
  scope.infrastructure = { type: 'failed' };
  try {
    scope.infrastructure = await readProviderObject(scope, infrastructureRef);
  } catch (error) {
    scope.infrastructure = { type: 'failed', error };
    throw error;
  }
  if (scope.infrastructure.type === 'found') return copyInfrastructure(scope, scope.infrastructure);
  return isDeleting(scope.machine) ? done() : reportMissing(scope);
}

function reportMissing(scope: MachineScope): Outcome {
  const { infrastructureRef } = scope.machine.spec;
  const { namespace = '' } = scope.machine.metadata;
  const what = `${infrastructureRef.kind} ${namespace}/${infrastructureRef.name}`;
  if (scope.machine.status?.initialization?.infrastructureProvisioned !== true)
    return wait({ ms: missingObjectRetryMs, reason: 'InfrastructureMissing', message: `${what} does not exist` });
  const message = `Machine infrastructure resource ${what} has been deleted after provisioning was completed`;
  setFailure(scope, { failureReason: 'InvalidConfiguration', failureMessage: message });
  throw new ReconcileError('InfrastructureDeleted', message, {
    retry: 'later',
    remedy: 'delete the Machine, so that its owner creates a replacement',
  });
}

type Found = Extract<ProviderState, { type: 'found' }>;

/**
 * Copies the fields of the infrastructure object. A provisioned machine stays provisioned: if the provider reports otherwise
 * later, the conditions show it.
 */
function copyInfrastructure(scope: MachineScope, { kind, object }: Found): Outcome {
  const read = infrastructureMachine.read(object, kind.contract);
  mirrorReady(scope, 'InfrastructureReady', object, read.provisioned, 'WaitingForInfrastructure');
  const wasProvisioned = scope.machine.status?.initialization?.infrastructureProvisioned === true;
  if (isDeleting(object) || (!read.provisioned && !wasProvisioned)) return done();
  if (read.providerId === undefined)
    return wait({
      reason: 'WaitingForProviderID',
      message: `${object.kind} ${object.metadata.name ?? ''} is provisioned, but spec.providerID is not set`,
    });
  copyFields(scope, read, read.providerId);
  return done();
}

function copyFields(scope: MachineScope, read: InfrastructureMachine, providerId: string): void {
  changeMachine(scope, (draft) => {
    draft.spec.providerID = providerId;
    if (read.specFailureDomain !== undefined) draft.spec.failureDomain = read.specFailureDomain;
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, infrastructureProvisioned: true };
    if (read.addresses.length > 0) status.addresses = [...read.addresses];
    if (read.failureDomain !== undefined) status.failureDomain = read.failureDomain;
  });
}
