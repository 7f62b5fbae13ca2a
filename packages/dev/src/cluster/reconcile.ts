import { clusters, ownerClusterOf, ownerNameOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  isDeleting,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  releaseFinalizer,
  setCondition,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { devAnnotations, type DevCluster, devClusters, devFinalizers, devReasons } from '../api/index.js';
import {
  type Endpoint,
  isTaken,
  PortsExhausted,
  type WorkloadCluster,
  type WorkloadClusters,
} from '../workload/index.js';

type Observed = Frozen<DevCluster>;

/** Gives the cluster a port; its machines make it answer. */
export async function reconcileDevCluster(
  key: ObjectKey,
  context: ReconcileContext,
  workloads: WorkloadClusters,
): Promise<Outcome> {
  const { sources } = context;
  const devCluster = sources.sourceFor(devClusters).get(key);
  if (devCluster === undefined) {
    // Moved to another management cluster, both went without asking us: nobody answers for them here any more.
    if (sources.sourceFor(clusters).get(key) === undefined) await workloads.remove(key);
    return done();
  }
  const cluster = ownerClusterOf(sources, devCluster);
  if (cluster === undefined && !isDeleting(devCluster))
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this DevCluster yet' });
  if (!(await openReconcile(context, devClusters, devCluster, { finalizer: devFinalizers.devCluster, cluster })))
    return done();
  context.check();
  if (isDeleting(devCluster)) {
    await workloads.remove(workloadKey(devCluster));
    await releaseFinalizer(context, devClusters, devCluster, devFinalizers.devCluster);
    return done();
  }
  if (devCluster.spec?.backend.inMemory === undefined) return refuseBackend(devCluster, context);
  return provision(devCluster, context, workloads);
}

async function provision(
  devCluster: Observed,
  context: ReconcileContext,
  workloads: WorkloadClusters,
): Promise<Outcome> {
  const key = workloadKey(devCluster);
  const wanted = devCluster.spec?.controlPlaneEndpoint ?? {};
  let workload: WorkloadCluster;
  try {
    workload = await workloads.ensure(key, wanted);
  } catch (error) {
    const problem = portProblem(error, wanted);
    if (problem === undefined) throw error;
    return report(devCluster, context, { reason: devReasons.portTaken, message: problem });
  }
  const { host, port } = workload.listener;
  const after = edit(devCluster, (draft) => {
    draft.metadata.annotations ??= {};
    draft.metadata.annotations[devAnnotations.listener] = `${key.namespace}/${key.name}`;
    if (draft.spec !== undefined) draft.spec.controlPlaneEndpoint = { host, port };
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
    deleteCondition(draft as ConditionTarget, 'Ready');
  });
  await patchObject(context.client, devClusters, devCluster, after, {
    ownedConditions: ['Ready'],
    signal: context.signal,
  });
  return done();
}

function portProblem(error: unknown, { host = '', port = 0 }: Endpoint): string | undefined {
  if (error instanceof PortsExhausted) return `${error.message}: delete clusters, or stop what uses these ports`;
  if (!isTaken(error)) return undefined;
  return `port ${port} of ${host} is used by another program: stop it, and the cluster comes back by itself`;
}

function refuseBackend(devCluster: Observed, context: ReconcileContext): Promise<Outcome> {
  return report(devCluster, context, {
    reason: devReasons.backendNotSupported,
    message:
      'the docker backend is not part of Slipway: set spec.backend.inMemory, or use another infrastructure provider',
  });
}

const retryPortMs = 10_000;

/** Tells what is wrong in the one condition that the Cluster shows. */
async function report(
  devCluster: Observed,
  context: ReconcileContext,
  problem: { readonly reason: string; readonly message: string },
): Promise<Outcome> {
  const after = edit(devCluster, (draft) =>
    setCondition(draft as ConditionTarget, { type: 'Ready', status: 'False', ...problem }, context.clock.now()),
  );
  const { client, signal } = context;
  await patchObject(client, devClusters, devCluster, after, { ownedConditions: ['Ready'], signal });
  // Nothing tells when another program lets go of a port.
  const timing = problem.reason === devReasons.portTaken ? { ms: retryPortMs } : {};
  return wait({ ...timing, ...problem });
}

/** The simulated cluster has the name of the Cluster. */
function workloadKey(devCluster: Observed): ObjectKey {
  const { namespace = '', name = '' } = devCluster.metadata;
  return { namespace, name: ownerNameOf(clusters, devCluster) ?? name };
}
