import { ClusterDisconnected, clusters, openReconcile } from '@slipway/cluster-api';
import {
  done,
  FencedError,
  isConditionTrue,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  retry,
  wait,
} from '@slipway/runtime';
import { kubeadmConfigs } from '../api/index.js';
import { BootstrapDataError, type BootstrapDataReason } from '../bootstrap-data/index.js';
import { CertificateError } from '../certificates/index.js';
import { initializeControlPlane, joinNode, rejoinWithNewToken, releaseLock } from './bootstrap-machine.js';
import {
  configReasons,
  setCertificatesAvailable,
  setCertificatesUnavailable,
  setDataSecretAvailable,
  setDataSecretUnavailable,
  setDataSecretUnknown,
} from './config-conditions.js';
import { ConfigScope, type ConfigDependencies } from './config-scope.js';
import { ensureDataSecretOwner, markDataSecret } from './data-secret.js';
import { type BootstrapStep, decideStep, findConfigOwner } from './decide-step.js';
import { keepToken } from './workload-tokens.js';

/** Reconciles a KubeadmConfig: waits for its owner and its Cluster, then generates the bootstrap data of a machine. */
export async function reconcileKubeadmConfig(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ConfigDependencies,
): Promise<Outcome> {
  const { sources } = context;
  const config = sources.sourceFor(kubeadmConfigs).get(key);
  if (config === undefined || isDeleting(config)) {
    dependencies.tokenSchedule.forget(key);
    dependencies.ownerSchedule.forget(key);
    return done();
  }
  const owner = findConfigOwner(config, sources, dependencies);
  if (owner === undefined)
    return wait({
      reason: 'WaitingForOwner',
      message: 'Waiting for a Machine or MachinePool to own the KubeadmConfig',
    });
  const cluster = sources.sourceFor(clusters).get({ namespace: key.namespace, name: owner.clusterName });
  if (cluster === undefined)
    return wait({ reason: 'WaitingForCluster', message: `Waiting for Cluster ${owner.clusterName} to exist` });
  if (!(await openReconcile(context, kubeadmConfigs, config, { cluster, reportsPaused: true }))) return done();
  const scope = new ConfigScope(config, owner, cluster, context, dependencies);
  return scope.finish(await bootstrap(scope));
}

async function bootstrap(scope: ConfigScope): Promise<Outcome> {
  try {
    const step = stepOf(scope);
    if (step.step !== 'wait-for-infrastructure' && mayHaveData(scope)) await ensureDataSecretOwner(scope);
    return await take(scope, step);
  } catch (error) {
    return explainFailure(scope, error);
  }
}

function mayHaveData({ config, owner }: ConfigScope): boolean {
  return config.status?.initialization?.dataSecretCreated === true || owner.dataSecretName !== undefined;
}

function stepOf({ owner, cluster, config, spec }: ConfigScope): BootstrapStep {
  return decideStep({
    owner,
    infrastructureProvisioned: cluster.status?.initialization?.infrastructureProvisioned === true,
    controlPlaneInitialized: isConditionTrue(cluster, 'ControlPlaneInitialized'),
    dataSecretCreated: config.status?.initialization?.dataSecretCreated === true,
    dataSecretName: config.status?.dataSecretName,
    usesToken: spec.joinConfiguration?.discovery?.bootstrapToken !== undefined,
  });
}

async function take(scope: ConfigScope, next: BootstrapStep): Promise<Outcome> {
  switch (next.step) {
    case 'wait-for-infrastructure':
      return waitForInfrastructure(scope);
    case 'restore':
      markDataSecret(scope, next.dataSecretName);
      scope.update(setCertificatesAvailable);
      return done();
    case 'keep':
      keepAvailable(scope);
      scope.dependencies.tokenSchedule.forget(keyOf(scope.config));
      return done();
    case 'refresh-token':
      keepAvailable(scope);
      return keepToken(scope, 'refresh', () => rejoinWithNewToken(scope));
    case 'rotate-token':
      keepAvailable(scope);
      return keepToken(scope, 'rotate', () => rejoinWithNewToken(scope));
    case 'wait-for-control-plane':
      return waitForControlPlane(scope);
    case 'initialize':
      waitForControlPlane(scope);
      return initializeControlPlane(scope);
    case 'join':
      await releaseLock(scope);
      return joinNode(scope, next.role);
  }
}

function keepAvailable(scope: ConfigScope): void {
  scope.update((draft, nowMs) => {
    setDataSecretAvailable(draft, nowMs);
    setCertificatesAvailable(draft, nowMs);
  });
}

function waitForInfrastructure(scope: ConfigScope): Outcome {
  const message = 'Waiting for Cluster status.infrastructureReady to be true';
  const { waitingForClusterInfrastructure: reason } = configReasons;
  scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ reason, message });
}

/** Waits for the control plane. Changes of the Cluster trigger the next reconcile, while upstream polls every 30 seconds. */
function waitForControlPlane(scope: ConfigScope): Outcome {
  const message = 'Waiting for Cluster control plane to be initialized';
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ reason, message });
}

/**
 * Retry interval. The cluster cache reports new connections, but not a kubeconfig that appears while no controller requests the
 * cluster.
 */
const reconnectMs = 60_000;

/** Reports a failure in the conditions, and decides when to retry. */
function explainFailure(scope: ConfigScope, thrown: unknown): Outcome {
  if (thrown instanceof FencedError) throw thrown;
  if (thrown instanceof ClusterDisconnected) return waitForConnection(scope, thrown);
  if (thrown instanceof CertificateError) return badCertificate(scope, thrown);
  if (thrown instanceof BootstrapDataError) return badInput(scope, thrown);
  if (thrown instanceof ReconcileError) return expected(scope, thrown);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
  if (!hasData(scope)) scope.update(setDataSecretUnknown);
  return retry(error);
}

function hasData({ config }: ConfigScope): boolean {
  return config.status?.initialization?.dataSecretCreated === true;
}

/** Reports a ReconcileError, whose message is written for users. Existing data stays available. */
function expected(scope: ConfigScope, cause: ReconcileError): Outcome {
  const { message } = cause;
  const { dataSecretGenerationFailed: reason } = configReasons;
  if (!hasData(scope))
    scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Warning' }, nowMs));
  return retry(cause);
}

function waitForConnection(scope: ConfigScope, cause: ClusterDisconnected): Outcome {
  const message = `Waiting for a connection to the workload cluster to create a bootstrap token: ${cause.message}`;
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  if (!hasData(scope))
    scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ ms: reconnectMs, reason: 'ConnectionDown', message });
}

function badCertificate(scope: ConfigScope, cause: CertificateError): Outcome {
  const { certificatesCorrupted, certificatesGenerationFailed } = configReasons;
  const why =
    cause.reason === 'Missing'
      ? ({ reason: certificatesGenerationFailed, severity: 'Warning' } as const)
      : ({ reason: certificatesCorrupted, severity: 'Error' } as const);
  scope.update((draft, nowMs) => setCertificatesUnavailable(draft, { ...why, message: cause.message }, nowMs));
  return retry(new ReconcileError('CertificatesNotAvailable', cause.message, { retry: 'later', cause }));
}

/** Reasons that a change of a watched object resolves. Other problems are in Secrets, which are polled. */
const inWatchedObjects: ReadonlySet<BootstrapDataReason> = new Set([
  'InvalidVersion',
  'UnsupportedVersion',
  'InvalidIgnitionConfig',
  'ControlPlaneOnWorker',
]);

function badInput(scope: ConfigScope, cause: BootstrapDataError): Outcome {
  const { dataSecretGenerationFailed: reason } = configReasons;
  const { message } = cause;
  scope.update((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Warning' }, nowMs));
  const policy = inWatchedObjects.has(cause.reason) ? 'onChange' : 'later';
  return retry(new ReconcileError(cause.reason, message, { retry: policy, cause }));
}
