import { clusterWatch } from '@slipway/cluster-api';
import { type AnyPredicate, type Controller, createController } from '@slipway/runtime';
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
    watches: [clusterWatch(devClusters)],
    reconcile: (key, context) => reconcileDevCluster(key, context, workloads),
  });
}
