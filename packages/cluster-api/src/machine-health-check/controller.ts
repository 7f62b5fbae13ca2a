import { deepEqual, type Frozen } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
  createController,
  getCondition,
  keyOf,
  type ObjectChange,
  type ObjectKey,
  resourceVersionChanged,
  type Sources,
  watch,
} from '@slipway/runtime';
import { type Cluster, clusters, type Machine, machineHealthChecks, machines } from '../api/index.js';
import { workloadClusters } from '../toolkit/index.js';
import { isTarget } from './health-check-planner.js';
import { clusterIndex } from './health-check-scope.js';
import { reconcileHealthCheck } from './reconcile.js';

export function createMachineHealthCheckController(context: ControllerContext): Controller {
  const { sources, watchFilter, concurrency } = context;
  const workloads = workloadClusters(context);
  return createController({
    name: 'machinehealthcheck',
    for: machineHealthChecks,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [
      watch(machines, { map: (machine) => checksOfMachine(sources, machine), filter: machineMatters }),
      watch(clusters, { map: (cluster) => checksOfCluster(sources, keyOf(cluster)), filter: clusterMatters }),
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((cluster) => {
          for (const key of checksOfCluster(sources, cluster)) enqueue(key);
        }),
    ],
    reconcile: (key, run) => reconcileHealthCheck(key, run, workloads),
  });
}

function checksOfCluster(sources: Sources, { namespace, name }: ObjectKey): ObjectKey[] {
  return sources.sourceFor(machineHealthChecks).byIndex(clusterIndex, `${namespace}/${name}`).map(keyOf);
}

function checksOfMachine(sources: Sources, machine: Frozen<Machine>): ObjectKey[] {
  return sources
    .sourceFor(machineHealthChecks)
    .byIndex(clusterIndex, `${machine.metadata.namespace ?? ''}/${machine.spec.clusterName}`)
    .filter((check) => isTarget(check, machine))
    .map(keyOf);
}

/** Returns whether a Machine changed in a field that health checks evaluate or select by. */
function machineMatters({ object, previous }: ObjectChange<Machine>): boolean {
  if (previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  return (
    now.deletionTimestamp !== before.deletionTimestamp ||
    object.status?.nodeRef?.name !== previous.status?.nodeRef?.name ||
    !deepEqual(now.labels, before.labels) ||
    !deepEqual(now.annotations, before.annotations) ||
    !deepEqual(object.status?.conditions, previous.status?.conditions)
  );
}

function clusterMatters({ object, previous }: ObjectChange<Cluster>): boolean {
  if (previous === undefined || object.spec.paused !== previous.spec.paused) return true;
  return ['ControlPlaneInitialized', 'InfrastructureReady'].some(
    (type) => getCondition(object, type)?.status !== getCondition(previous, type)?.status,
  );
}
