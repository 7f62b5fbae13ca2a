import type { Frozen, KubeObject } from '@slipway/kube';
import { done, isDeleting, markTrue, type Outcome, ReconcileError, setV1beta1Condition } from '@slipway/runtime';
import { bootstrapConfig, providerReadyV1beta1 } from '../contract/index.js';
import { changePool, changeV1beta1, type PoolPass, statusOf } from './pool-pass.js';
import { readProviderObject } from './provider-objects.js';

/** Waits for the bootstrap provider to make the data that machines start with. It may be another each time it is made. */
export async function reconcileBootstrap(pass: PoolPass): Promise<Outcome> {
  const { configRef, dataSecretName } = pass.pool.spec.template.spec.bootstrap;
  if (configRef === undefined) {
    if (dataSecretName === undefined) return done();
    setCreated(pass, true);
    changeV1beta1(pass, (target) => markTrue(target, 'BootstrapReady', pass.nowMs));
    return done();
  }
  try {
    pass.bootstrap = await readProviderObject(pass, configRef);
  } catch (error) {
    pass.bootstrap = { type: 'failed', error };
    throw error;
  }
  const { bootstrap } = pass;
  if (bootstrap.type !== 'found')
    throw new ReconcileError('BootstrapConfigMissing', `${configRef.kind} ${configRef.name} does not exist`, {
      retry: 'later',
      remedy: 'create it or correct spec.template.spec.bootstrap.configRef',
    });
  if (isDeleting(bootstrap.object)) return done();
  const read = bootstrapConfig.read(bootstrap.object, bootstrap.kind.contract);
  mirrorReady(pass, 'BootstrapReady', bootstrap.object, read.dataSecretCreated, 'WaitingForDataSecret');
  setCreated(pass, read.dataSecretCreated);
  if (read.dataSecretCreated) setDataSecret(pass, bootstrap.object, read.dataSecretName);
  return done();
}

function setCreated(pass: PoolPass, bootstrapDataSecretCreated: boolean): void {
  changePool(pass, (draft) => {
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, bootstrapDataSecretCreated };
  });
}

function setDataSecret(pass: PoolPass, object: Frozen<KubeObject>, name: string | undefined): void {
  if (name === undefined)
    throw new ReconcileError(
      'DataSecretNameMissing',
      `${object.kind} ${object.metadata.name ?? ''} says that its data is there, but status.dataSecretName is not set`,
      { retry: 'later', remedy: 'look at the log of the bootstrap provider' },
    );
  changePool(pass, (draft) => void (draft.spec.template.spec.bootstrap.dataSecretName = name));
}

/** The deprecated condition of a part, as the part tells it itself or else as its flag does. */
export function mirrorReady(
  pass: PoolPass,
  type: 'BootstrapReady' | 'InfrastructureReady',
  object: Frozen<KubeObject>,
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const fallback = flag
    ? ({ status: 'True' } as const)
    : ({ status: 'False', severity: 'Info', reason: waitingReason } as const);
  const { lastTransitionTime: _time, ...told } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(pass, (target) => setV1beta1Condition(target, { ...told, type }, pass.nowMs));
}
