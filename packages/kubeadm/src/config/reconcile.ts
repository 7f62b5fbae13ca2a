import { clusters } from '@slipway/cluster-api';
import {
  done,
  isConditionTrue,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { kubeadmConfigs } from '../api/index.js';
import {
  configReasons,
  setCertificatesAvailable,
  setDataSecretAvailable,
  setDataSecretUnavailable,
} from './config-conditions.js';
import { findConfigOwner } from './config-owner.js';
import { ConfigScope, type ConfigWorld } from './config-scope.js';
import { ensureDataSecretOwner, markDataSecret } from './data-secret.js';
import { type BootstrapStep, decideStep } from './decide-step.js';
import { explainFailure } from './explain-failure.js';
import { initializeControlPlane, releaseLock } from './initialize-control-plane.js';
import { joinNode, rejoinWithNewToken } from './join-node.js';
import { keepToken } from './workload-tokens.js';

/** The story of a KubeadmConfig: it waits for its owner and its cluster, then becomes the bootstrap data of a machine. */
export async function reconcileKubeadmConfig(
  key: ObjectKey,
  context: ReconcileContext,
  world: ConfigWorld,
): Promise<Outcome> {
  const { sources } = context;
  const config = sources.sourceFor(kubeadmConfigs).get(key);
  if (config === undefined || isDeleting(config)) {
    world.tokenSchedule.forget(key);
    world.ownerSchedule.forget(key);
    return done();
  }
  const owner = findConfigOwner(config, sources, world);
  if (owner === undefined) return wait({ reason: 'WaitingForOwner', message: 'No Machine or MachinePool owns it yet' });
  const cluster = sources.sourceFor(clusters).get({ namespace: key.namespace, name: owner.clusterName });
  if (cluster === undefined)
    return wait({ reason: 'WaitingForCluster', message: `Cluster ${owner.clusterName} does not exist yet` });
  if (!(await openReconcile(context, kubeadmConfigs, config, { cluster, reportsPaused: true }))) return done();
  const scope = new ConfigScope(config, owner, cluster, context, world);
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
      scope.change(setCertificatesAvailable);
      return done();
    case 'keep':
      keepAvailable(scope);
      scope.world.tokenSchedule.forget(keyOf(scope.config));
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
  scope.change((draft, nowMs) => {
    setDataSecretAvailable(draft, nowMs);
    setCertificatesAvailable(draft, nowMs);
  });
}

function waitForInfrastructure(scope: ConfigScope): Outcome {
  const message = 'Waiting for Cluster status.infrastructureReady to be true';
  const { waitingForClusterInfrastructure: reason } = configReasons;
  scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ reason, message });
}

/** The Cluster is watched: unlike upstream nobody has to ask every 30 seconds. */
function waitForControlPlane(scope: ConfigScope): Outcome {
  const message = 'Waiting for Cluster control plane to be initialized';
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ reason, message });
}
