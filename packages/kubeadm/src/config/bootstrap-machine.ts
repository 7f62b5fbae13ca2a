import { formatEndpoint, isValidEndpoint, machines } from '@slipway/cluster-api';
import { type Frozen, isReason, type Thawed } from '@slipway/kube';
import {
  type ConfigMap,
  configMaps,
  done,
  ifPresent,
  keyOf,
  type ObjectKey,
  type Outcome,
  wait,
} from '@slipway/runtime';
import { type BootstrapRole, type JoinConfiguration, planDiscovery, withToken } from '../bootstrap-data/index.js';
import { certificateOf } from '../certificates/index.js';
import { initLockHolder, initLockName, initLockRetryMs, planInitLock } from './init-lock.js';
import { tokenCheckIntervalMs } from './bootstrap-token.js';
import { configReasons, setDataSecretUnavailable } from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';
import { renderBootstrapData, storeBootstrapData } from './data-secret.js';
import { findCertificates } from './find-certificates.js';
import { createWorkloadToken, untilNextCheck } from './workload-tokens.js';

/** Generates data that runs `kubeadm init` on this machine, unless another machine of the cluster has the init lock. */
export async function initializeControlPlane(scope: ConfigScope): Promise<Outcome> {
  const lost = await acquireLock(scope);
  if (lost !== undefined) return lost;
  rememberEndpoint(scope);
  try {
    const certificates = await findCertificates(scope, 'init');
    await storeBootstrapData(scope, await renderBootstrapData(scope, 'init', certificates));
    return done();
  } catch (error) {
    // Release the lock, because another machine may succeed.
    await releaseLock(scope);
    throw error;
  }
}

/** Records in the spec which endpoint the init data contains, as upstream does. */
function rememberEndpoint(scope: ConfigScope): void {
  const { controlPlaneEndpoint: endpoint } = scope.cluster.spec;
  if (!isValidEndpoint(endpoint)) return;
  scope.update((draft) => {
    draft.spec ??= {};
    draft.spec.clusterConfiguration ??= {};
    draft.spec.clusterConfiguration.controlPlaneEndpoint ??= formatEndpoint(endpoint);
  });
}

/** Acquires the init lock. Returns undefined if this machine has it, otherwise the wait for it. */
async function acquireLock(scope: ConfigScope): Promise<Outcome | undefined> {
  const lock = await readLock(scope);
  const holderExists = lock !== undefined && (await hasMachine(scope, initLockHolder(lock)));
  const decision = planInitLock({ cluster: scope.cluster, machineName: scope.owner.name, lock, holderExists });
  switch (decision.action) {
    case 'acquired':
      return undefined;
    case 'wait':
      return waitForLock(initLockRetryMs, decision.message);
    case 'release':
      if (lock !== undefined) await deleteLock(scope, lock, `Machine ${decision.holder} no longer exists`);
      return waitForLock(0, `Machine ${decision.holder}, which held the init lock, no longer exists`);
    case 'create':
      try {
        await scope.context.change({
          verb: 'create',
          resource: configMaps,
          object: decision.lock,
          reason: 'InitLockAcquired',
          message: `Acquired the init lock for Machine ${scope.owner.name}`,
        });
        return undefined;
      } catch (error) {
        if (!isReason(error, 'AlreadyExists')) throw error;
        return waitForLock(initLockRetryMs, 'Another Machine acquired the init lock');
      }
  }
}

/** Polls the lock: ConfigMaps are not watched, and no other object changes when the holder releases the lock. */
function waitForLock(ms: number, message: string): Outcome {
  return wait({ ms, reason: 'WaitingForInitLock', message });
}

/** Releases the init lock. Also removes a lock left behind by a cluster that has long been initialized, which is rare. */
export async function releaseLock(scope: ConfigScope): Promise<void> {
  const lock = await readLock(scope);
  if (lock !== undefined) await deleteLock(scope, lock, `Machine ${scope.owner.name} does not need it`);
}

async function deleteLock(scope: ConfigScope, { metadata }: Frozen<ConfigMap>, why: string): Promise<void> {
  try {
    await scope.context.change({
      verb: 'delete',
      resource: configMaps,
      key: lockKey(scope),
      options: { preconditions: { uid: metadata.uid } },
      reason: 'InitLockReleased',
      message: `Released the init lock: ${why}`,
    });
  } catch (error) {
    // A conflict means that the lock has another uid: it belongs to a later machine.
    if (!isReason(error, 'Conflict')) throw error;
  }
}

function readLock(scope: ConfigScope): Promise<Frozen<ConfigMap> | undefined> {
  const { read, signal } = scope.context;
  return ifPresent(read.get(configMaps, lockKey(scope), { signal }));
}

/**
 * Returns whether a Machine exists. Reads from the API server: taking the lock from a Machine that the cache does not contain yet
 * would initialize two clusters.
 */
async function hasMachine(scope: ConfigScope, name: string | undefined): Promise<boolean> {
  if (name === undefined || name === scope.owner.name) return true;
  const { read, signal } = scope.context;
  return (await ifPresent(read.get(machines, { namespace: scope.namespace, name }, { signal }))) !== undefined;
}

function lockKey(scope: ConfigScope): ObjectKey {
  return { namespace: scope.namespace, name: initLockName(scope.cluster.metadata.name ?? '') };
}

/** Generates data that joins the machine to the cluster: discovery, CA and token. */
export async function joinNode(scope: ConfigScope, role: Exclude<BootstrapRole, 'init'>): Promise<Outcome> {
  const certificates = await findCertificates(scope, role);
  const authority = certificateOf(certificates, 'ca')?.keyPair?.certificate ?? '';
  const discovery = planDiscovery(joinConfigurationOf(scope, role), scope.cluster, authority);
  if (discovery.kind === 'wait') return waitForEndpoint(scope, discovery.ms, discovery.message);
  const { joinConfiguration, needsToken } = discovery;
  setJoinConfiguration(
    scope,
    needsToken ? withToken(joinConfiguration, await createWorkloadToken(scope)) : joinConfiguration,
  );
  await storeBootstrapData(scope, await renderBootstrapData(scope, role, certificates));
  if (joinConfiguration.discovery?.bootstrapToken === undefined) return done();
  const checkMs = tokenCheckIntervalMs(scope.dependencies.tokenTtlMs);
  scope.dependencies.tokenSchedule.set(keyOf(scope.config), checkMs);
  return untilNextCheck(checkMs);
}

/** Returns the join configuration. Its controlPlane field marks a control plane machine, also when the config is read later. */
function joinConfigurationOf({ spec }: ConfigScope, role: BootstrapRole): JoinConfiguration {
  const join = spec.joinConfiguration ?? {};
  return role === 'control-plane-join' ? { ...join, controlPlane: join.controlPlane ?? {} } : join;
}

/** Replaces the token of a MachinePool without checking the old one. */
export async function rejoinWithNewToken(scope: ConfigScope): Promise<Outcome> {
  const { token: _old, ...bootstrapToken } = scope.spec.joinConfiguration?.discovery?.bootstrapToken ?? {};
  const join = scope.spec.joinConfiguration ?? {};
  setJoinConfiguration(scope, { ...join, discovery: { ...join.discovery, bootstrapToken } });
  return joinNode(scope, 'worker-join');
}

/** Stores the join configuration in the spec, because the next reconcile must know which token is in use. */
function setJoinConfiguration(scope: ConfigScope, join: JoinConfiguration): void {
  scope.update((draft) => {
    draft.spec = { ...draft.spec, joinConfiguration: join as Thawed<JoinConfiguration> };
  });
}

function waitForEndpoint(scope: ConfigScope, ms: number, message: string): Outcome {
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ ms, reason: 'WaitingForControlPlaneEndpoint', message });
}
