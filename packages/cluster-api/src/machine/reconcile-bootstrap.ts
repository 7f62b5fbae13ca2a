import { done, isDeleting, markTrue, type Outcome, ReconcileError, setV1beta1Condition, wait } from '@slipway/runtime';
import { bootstrapConfig, providerReadyV1beta1, type ProviderState } from '../contract/index.js';
import { changeMachine, changeV1beta1, type MachineScope, statusOf } from './machine-scope.js';
import { readProviderObject } from './provider-objects.js';

/** No watch tells when a kind is installed, and a cache may miss an object for a moment. */
export const missingObjectRetryMs = 30_000;

/** Waits for the bootstrap provider to make the data that the machine starts with, and notes where it is. */
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
      `${object.kind} ${object.metadata.name ?? ''} says that its data is there, but status.dataSecretName is not set`,
      { retry: 'later', remedy: 'look at the log of the bootstrap provider' },
    );
  changeMachine(scope, (draft) => {
    draft.spec.bootstrap.dataSecretName = dataSecretName;
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
  });
  return done();
}

/** The deprecated condition of a part, as the part tells it itself or else as its flag does. */
export function mirrorReady(
  scope: MachineScope,
  type: 'BootstrapReady' | 'InfrastructureReady',
  object: Extract<ProviderState, { type: 'found' }>['object'],
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const reason = isDeleting(scope.machine) ? 'Deleting' : waitingReason;
  const fallback = flag ? ({ status: 'True' } as const) : ({ status: 'False', severity: 'Info', reason } as const);
  const { lastTransitionTime: _time, ...told } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...told, type }, scope.nowMs));
}
