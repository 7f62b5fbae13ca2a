import { clusters, labels } from '@slipway/cluster-api';
import { isReason, parseApiVersion } from '@slipway/kube';
import {
  ClusterDisconnected,
  done,
  FencedError,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  retry,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { kubeadmConditions, kubeadmControlPlanes, kubeadmFinalizers } from '../api/index.js';
import { adoptableMachines, adoptMachines, ownedMachines } from './adopt-machines.js';
import { applyControlPlanePlan } from './apply-decision.js';
import { reconcileCertificates } from './cluster-certificates.js';
import { reconcileKubeconfig } from './cluster-kubeconfig.js';
import {
  type ClusterView,
  hasEndpoint,
  isEtcdManaged,
  isInitialized,
  isProvisioned,
  type ObservedControlPlane,
} from './control-plane.js';
import { ControlPlanePass, type ControlPlaneWorld } from './control-plane-pass.js';
import { planControlPlane } from './control-plane-planner.js';
import { updateStatus } from './control-plane-status.js';
import { deleteControlPlane } from './delete-control-plane.js';
import { ownInfrastructureTemplate } from './infrastructure-template.js';
import { detectInitialized, inspectControlPlane } from './inspect-control-plane.js';
import { controlledMachines, controlPlaneMachines, observeMachines } from './observe-machines.js';
import { removeOrphans } from './remove-orphans.js';
import { nextRolloutMs } from './rollout-reasons.js';
import { syncMachines } from './sync-machines.js';
import { unknownHealth } from './unknown-health.js';
import { watchWorkload } from './watch-workload.js';

/** Brings a control plane closer to what it should be: one structural step at most, and then its status. */
export async function reconcileControlPlane(
  key: ObjectKey,
  context: ReconcileContext,
  world: ControlPlaneWorld,
): Promise<Outcome> {
  const controlPlane = context.sources.sourceFor(kubeadmControlPlanes).get(key);
  if (controlPlane === undefined) return done();
  const cluster = ownerCluster(context, controlPlane);
  if (cluster === undefined)
    return wait({ reason: 'WaitingForClusterOwner', message: 'Cluster Controller has not yet set OwnerRef' });
  const finalizer = kubeadmFinalizers.kubeadmControlPlane;
  if (!(await openReconcile(context, kubeadmControlPlanes, controlPlane, { finalizer, cluster }))) return done();
  const pass = new ControlPlanePass(context, world, controlPlane, cluster);
  if (!(await findMachines(pass))) return done();
  const outcome = await attempt(pass, () => (isDeleting(controlPlane) ? deleteControlPlane(pass) : bringCloser(pass)));
  return close(pass, outcome);
}

/** A control plane that outlived its Cluster is deleted all the same: what it needs to know of it is the name. */
function ownerCluster(context: ReconcileContext, controlPlane: ObservedControlPlane): ClusterView | undefined {
  const { metadata } = controlPlane;
  const { namespace = '' } = metadata;
  const owner = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === clusters.kind && parseApiVersion(apiVersion).group === clusters.group,
  );
  const name = owner?.name ?? '';
  const found = context.sources.sourceFor(clusters).get({ namespace, name }) as ClusterView | undefined;
  if (found !== undefined || !isDeleting(controlPlane)) return found;
  const [machine] = controlledMachines(context, controlPlane);
  const known = owner?.name ?? metadata.labels?.[labels.clusterName] ?? machine?.spec.clusterName ?? '';
  return {
    apiVersion: `${clusters.group}/${clusters.version}`,
    kind: clusters.kind,
    metadata: { name: known, namespace },
  };
}

/** False when machines were found that nobody controlled: the events of taking them over bring us back. */
async function findMachines(pass: ControlPlanePass): Promise<boolean> {
  const { context, controlPlane, cluster } = pass;
  const all = controlPlaneMachines(context, cluster);
  const adoptable = adoptableMachines(all);
  if (adoptable.length > 0 && isProvisioned(cluster) && hasEndpoint(cluster) && !isDeleting(controlPlane)) {
    await adoptMachines(pass, adoptable);
    return false;
  }
  const owned = ownedMachines(all, controlPlane);
  if (owned.length + adoptable.length !== all.length && !isDeleting(controlPlane)) {
    const error = new ReconcileError(
      'MixedManagement',
      'not all control plane machines are owned by this KubeadmControlPlane, refusing to operate in mixed management mode',
      { retry: 'onChange', remedy: 'delete the other Machines, or take the control plane label off them' },
    );
    context.events.record(controlPlane, {
      type: 'Warning',
      reason: error.reason,
      action: 'Reconcile',
      message: error.message,
    });
    throw error;
  }
  pass.machines = await observeMachines(context, controlPlane, owned);
  return true;
}

async function attempt(pass: ControlPlanePass, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FencedError) throw error;
    if (error instanceof ClusterDisconnected) return waitForConnection(pass, error);
    return retry(error instanceof Error ? error : new Error(String(error), { cause: error }));
  }
}

/** The cache of connections tells when it is back; until then there is only to say when what was last seen is too old. */
function waitForConnection(pass: ControlPlanePass, { message }: ClusterDisconnected): Outcome {
  pass.isIncomplete = true;
  const { graceLeftMs } = unknownHealth(pass);
  return wait({ ...(graceLeftMs !== undefined && { ms: graceLeftMs }), reason: 'ClusterDisconnected', message });
}

/** The story of a control plane, in order; the first step that has to wait ends the pass. */
async function bringCloser(pass: ControlPlanePass): Promise<Outcome> {
  const problem = await ownInfrastructureTemplate(pass);
  if (!isProvisioned(pass.cluster))
    return waitForCluster(pass, 'Waiting for Cluster status.infrastructureReady to be true');
  const certificates = await reconcileCertificates(pass);
  if (certificates !== undefined) return certificates;
  if (!hasEndpoint(pass.cluster))
    return waitForCluster(pass, 'Waiting for Cluster spec.controlPlaneEndpoint to be set');
  const kubeconfig = await reconcileKubeconfig(pass);
  if (kubeconfig !== undefined) return kubeconfig;
  await removeOrphans(pass);
  await syncMachines(pass);
  await detectInitialized(pass);
  await watchWorkload(pass);
  await inspectControlPlane(pass);
  const outcome = await applyControlPlanePlan(pass, planControlPlane(pass.view));
  const hasTimer = outcome.type === 'wait' && outcome.ms !== undefined;
  return problem === undefined || hasTimer ? outcome : retry(problem);
}

function waitForCluster(pass: ControlPlanePass, message: string): Outcome {
  const unknown = { status: 'Unknown', reason: 'InspectionFailed', message } as const;
  if (isEtcdManaged(pass.controlPlane)) pass.setConditions({ type: kubeadmConditions.etcdClusterHealthy, ...unknown });
  pass.setConditions({ type: kubeadmConditions.controlPlaneComponentsHealthy, ...unknown });
  return wait({ reason: 'WaitingForCluster', message });
}

/** The status is written whatever came before. */
async function close(pass: ControlPlanePass, outcome: Outcome): Promise<Outcome> {
  const told = await attempt(pass, async () => {
    updateStatus(pass);
    return done();
  });
  const joined = told.type === 'retry' ? joinOutcomes([outcome, told]) : outcome;
  const failed = joined.type === 'retry' || joined.type === 'terminal' || pass.isIncomplete;
  const generation = pass.original.metadata.generation;
  if (!failed && generation !== undefined)
    pass.update((draft) => {
      draft.status ??= {};
      draft.status.observedGeneration = generation;
    });
  const { client, signal } = pass.context;
  try {
    await patchObject(client, kubeadmControlPlanes, pass.original, pass.controlPlane, {
      ownedConditions: 'all',
      signal,
    });
  } catch (error) {
    if (!isDeleting(pass.original) || !isReason(error, 'NotFound')) throw error;
  }
  return joined.type === 'done' || (joined.type === 'wait' && joined.ms === undefined)
    ? lookAgain(pass, joined)
    : joined;
}

/** The safety net: watches and the connection tell sooner. */
const notInitializedRetryMs = 20_000;
const unhealthyRetryMs = 20_000;
const resyncMs = 600_000;
/** Once the API answers kubeadm is about to write its configuration, and nobody tells when it has. */
const kubeadmConfigRetryMs = 2_000;

function lookAgain(pass: ControlPlanePass, outcome: Outcome): Outcome {
  const { controlPlane } = pass;
  if (isDeleting(controlPlane)) return outcome;
  if (!isInitialized(controlPlane)) {
    const isConnected = pass.world.workloads.connectedClient(pass.clusterKey) !== undefined;
    return wait({
      ms: isConnected ? kubeadmConfigRetryMs : notInitializedRetryMs,
      reason: 'WaitingForInitialization',
      message: 'the first machine has not started the cluster yet',
    });
  }
  if (pass.condition(kubeadmConditions.controlPlaneComponentsHealthy)?.status === 'False')
    return wait({
      ms: unhealthyRetryMs,
      reason: 'WaitingForControlPlaneHealth',
      message: 'components of the control plane are not healthy',
    });
  const ms = nextRolloutMs(controlPlane, pass.observedMachines, pass.nowMs);
  // What is further away than the next resync is looked at then.
  if (ms === undefined || ms > resyncMs) return outcome;
  return wait({ ms, reason: 'WaitingForRollout', message: 'machines are going to be replaced at a set time' });
}
