import { clusters, ownerNameOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type ClusterScope, defineInfrastructureCluster, type ClusterProgress } from '@slipway/provider-kit';
import {
  type ConditionTarget,
  type Controller,
  type ControllerContext,
  deleteCondition,
  done,
  keyOf,
  type ObjectKey,
  wait,
} from '@slipway/runtime';
import { devAnnotations, type DevCluster, devClusters, devFinalizers, devReasons } from '../api/index.js';
import {
  type Endpoint,
  isTaken,
  PortsExhausted,
  type WorkloadCluster,
  type WorkloadClusters,
} from '../workload/index.js';

/** Creates the controller that reserves a port for each cluster. The port accepts connections once machines run. */
export function createDevClusterController(
  workloads: WorkloadClusters,
  context: Pick<ControllerContext, 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureCluster(
    {
      name: 'devcluster',
      resource: devClusters,
      finalizer: devFinalizers.devCluster,
      // As upstream, a DevCluster has a Ready condition only while there is a problem.
      conditions: { provisioned: 'Ready', ready: [] },
      ensure: (scope) => provision(scope, workloads),
      async remove({ infraCluster, context }) {
        const key = workloadKey(infraCluster);
        if (workloads.get(key) === undefined) return undefined;
        await context.change({
          verb: 'call',
          resource: devClusters,
          key: keyOf(infraCluster),
          action: 'release port',
          reason: 'Deleting',
          message: `Releasing the port of the API server of Cluster ${key.name}`,
          run: () => workloads.remove(key),
        });
        return undefined;
      },
      // A move to another management cluster deletes the DevCluster and the Cluster without waiting for finalizers.
      async forget(key, { sources }) {
        if (sources.sourceFor(clusters).get(key) === undefined) await workloads.remove(key);
      },
    },
    context,
  );
}

/** Retry interval while a port is in use: no event reports that another program has released it. */
const retryPortMs = 10_000;

async function provision(
  { context, infraCluster: devCluster }: ClusterScope<DevCluster>,
  workloads: WorkloadClusters,
): Promise<ClusterProgress<DevCluster>> {
  if (devCluster.spec?.backend.inMemory === undefined)
    return waiting(
      devReasons.backendNotSupported,
      'the docker backend is not part of Slipway: set spec.backend.inMemory, or use another infrastructure provider',
    );
  const key = workloadKey(devCluster);
  const requested = devCluster.spec.controlPlaneEndpoint ?? {};
  let workload: WorkloadCluster;
  try {
    workload =
      workloads.get(key) ??
      (await context.change({
        verb: 'call',
        resource: devClusters,
        key: keyOf(devCluster),
        action: 'reserve port',
        reason: 'Provisioning',
        message: `Reserving a port for the API server of Cluster ${key.name}`,
        run: () => workloads.ensure(key, requested),
      }));
  } catch (error) {
    const problem = portProblem(error, requested);
    if (problem === undefined) throw error;
    return waiting(devReasons.portTaken, problem, retryPortMs);
  }
  const { host, port } = workload.listener;
  return {
    isProvisioned: true,
    endpoint: { host, port },
    conditions: [],
    apply(draft) {
      draft.metadata.annotations ??= {};
      draft.metadata.annotations[devAnnotations.listener] = `${key.namespace}/${key.name}`;
      deleteCondition(draft as ConditionTarget, 'Ready');
    },
    outcome: done(),
  };
}

function portProblem(error: unknown, { host = '', port = 0 }: Endpoint): string | undefined {
  if (error instanceof PortsExhausted)
    return `${error.message}: delete clusters, or stop the programs that use these ports`;
  if (!isTaken(error)) return undefined;
  return `port ${port} of ${host} is used by another program: stop that program; the cluster then recovers automatically`;
}

function waiting(reason: string, message: string, ms?: number): ClusterProgress<DevCluster> {
  return {
    isProvisioned: false,
    conditions: [{ type: 'Ready', status: 'False', reason, message }],
    outcome: wait({ ...(ms !== undefined && { ms }), reason, message }),
  };
}

/** Returns the key of the simulated cluster, which has the name of the Cluster. */
function workloadKey(devCluster: Frozen<DevCluster>): ObjectKey {
  const { namespace = '', name = '' } = devCluster.metadata;
  return { namespace, name: ownerNameOf(clusters, devCluster) ?? name };
}
