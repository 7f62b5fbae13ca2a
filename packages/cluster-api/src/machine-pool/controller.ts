import type { Frozen, KubeObject } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
  createController,
  isConditionTrue,
  keyOf,
  type ObjectChange,
  resourceVersionChanged,
  watch,
} from '@slipway/runtime';
import { type Cluster, clusters, machinePools, machines } from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { IntentCache } from '../intents/index.js';
import { keysOfCluster } from '../reconcile/index.js';
import { workloadClusters } from '../toolkit/index.js';
import { reconcileMachinePool } from './reconcile.js';

export function createMachinePoolController(context: ControllerContext): Controller {
  const { sources, watchFilter, concurrency } = context;
  const workloads = workloadClusters(context);
  const dependencies = { workloads, intents: new IntentCache() };
  return createController({
    name: 'machinepool',
    for: machinePools,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    owns: [machines],
    watches: [
      definitionsWatch,
      watch(clusters, {
        map: (cluster) => keysOfCluster(sources, machinePools, keyOf(cluster as Frozen<KubeObject>)),
        filter: clusterMatters,
      }),
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((cluster) => {
          for (const key of keysOfCluster(sources, machinePools, cluster)) enqueue(key);
        }),
    ],
    reconcile: (key, run) => reconcileMachinePool(key, run, dependencies),
  });
}

function clusterMatters({ object, previous, type }: ObjectChange<Cluster>): boolean {
  if (previous === undefined || type === 'deleted') return true;
  return (
    object.spec.paused !== previous.spec.paused ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    isInitialized(object) !== isInitialized(previous)
  );
}

function isInitialized(cluster: Frozen<Cluster>): boolean {
  return (
    cluster.status?.initialization?.controlPlaneInitialized === true ||
    isConditionTrue(cluster, 'ControlPlaneInitialized')
  );
}
