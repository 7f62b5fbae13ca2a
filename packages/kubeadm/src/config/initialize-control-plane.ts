import { formatEndpoint, isValidEndpoint, machines } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import { type ConfigMap, configMaps, done, ifPresent, type ObjectKey, type Outcome, wait } from '@slipway/runtime';
import { initLockHolder, initLockName, initLockRetryMs, planInitLock } from '../init-lock/index.js';
import type { ConfigScope } from './config-scope.js';
import { storeBootstrapData } from './data-secret.js';
import { findCertificates } from './find-certificates.js';
import { renderBootstrapData } from './render-data.js';

/** Tells this machine to run `kubeadm init`, if no other machine of the cluster was told to. */
export async function initializeControlPlane(scope: ConfigScope): Promise<Outcome> {
  const lost = await acquireLock(scope);
  if (lost !== undefined) return lost;
  rememberEndpoint(scope);
  try {
    const certificates = await findCertificates(scope, 'init');
    await storeBootstrapData(scope, await renderBootstrapData(scope, 'init', certificates));
    return done();
  } catch (error) {
    // Another machine may be able to do what this one cannot.
    await releaseLock(scope);
    throw error;
  }
}

/** What the machine is told stays in the spec, as upstream keeps it there for whoever asks how the cluster began. */
function rememberEndpoint(scope: ConfigScope): void {
  const { controlPlaneEndpoint: endpoint } = scope.cluster.spec;
  if (!isValidEndpoint(endpoint)) return;
  scope.change((draft) => {
    draft.spec ??= {};
    draft.spec.clusterConfiguration ??= {};
    draft.spec.clusterConfiguration.controlPlaneEndpoint ??= formatEndpoint(endpoint);
  });
}

/** Undefined when this machine has the lock. */
async function acquireLock(scope: ConfigScope): Promise<Outcome | undefined> {
  const { client, signal } = scope.context;
  const lock = await readLock(scope);
  const holderExists = lock !== undefined && (await hasMachine(scope, initLockHolder(lock)));
  const decision = planInitLock({ cluster: scope.cluster, machineName: scope.owner.name, lock, holderExists });
  switch (decision.action) {
    case 'acquired':
      return undefined;
    case 'wait':
      return waitForLock(initLockRetryMs, decision.message);
    case 'release':
      await deleteLock(scope, lock);
      return waitForLock(0, `Machine ${decision.holder}, which held the init lock, is gone`);
    case 'create':
      try {
        await client.create(configMaps, decision.lock, { signal });
        return undefined;
      } catch (error) {
        if (!isReason(error, 'AlreadyExists')) throw error;
        return waitForLock(initLockRetryMs, 'Another Machine has just got the init lock');
      }
  }
}

/** Polled: the lock goes when its holder fails, and nothing that is watched changes then. */
function waitForLock(ms: number, message: string): Outcome {
  return wait({ ms, reason: 'WaitingForInitLock', message });
}

/** Also what a lock of a cluster that came up long ago is taken away by; there is mostly none. */
export async function releaseLock(scope: ConfigScope): Promise<void> {
  await deleteLock(scope, undefined);
}

async function deleteLock(scope: ConfigScope, lock: Frozen<ConfigMap> | undefined): Promise<void> {
  const { client, signal } = scope.context;
  const uid = lock?.metadata.uid;
  try {
    await client.delete(configMaps, lockKey(scope), { signal, ...(uid !== undefined && { preconditions: { uid } }) });
  } catch (error) {
    // A lock with another uid is a later machine's: it stays.
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}

function readLock(scope: ConfigScope): Promise<Frozen<ConfigMap> | undefined> {
  const { client, signal } = scope.context;
  return ifPresent(client.get(configMaps, lockKey(scope), { signal }));
}

/** Asked of the server: taking a lock from a machine that a cache does not know yet would start two clusters. */
async function hasMachine(scope: ConfigScope, name: string | undefined): Promise<boolean> {
  if (name === undefined || name === scope.owner.name) return true;
  const { client, signal } = scope.context;
  return (await ifPresent(client.get(machines, { namespace: scope.namespace, name }, { signal }))) !== undefined;
}

function lockKey(scope: ConfigScope): ObjectKey {
  return { namespace: scope.namespace, name: initLockName(scope.cluster.metadata.name ?? '') };
}
