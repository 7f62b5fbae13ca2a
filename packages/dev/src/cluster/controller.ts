import { clusterWatch } from '@slipway/cluster-api';
import { type AnyPredicate, type Controller, createController, generationChanged } from '@slipway/runtime';
import { devClusters } from '../api/index.js';
import type { WorkloadClusters } from '../workload/index.js';
import { reconcileDevCluster } from './reconcile.js';

export interface DevClusterControllerOptions {
  readonly workloads: WorkloadClusters;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createDevClusterController({
  workloads,
  concurrency,
  filter,
}: DevClusterControllerOptions): Controller {
  return createController({
    name: 'devcluster',
    for: devClusters,
    concurrency,
    filter,
    // Its status changes often, and means nothing to the infrastructure.
    watches: [clusterWatch(devClusters, generationChanged)],
    reconcile: (key, context) => reconcileDevCluster(key, context, workloads),
  });
}
