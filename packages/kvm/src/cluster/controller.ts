import { clusterWatch, inClusterIpPools, keysOfCluster, labels } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { kvmClusters, kvmMachines } from '../api/index.js';
import { type ClusterWorld, reconcileKVMCluster } from './reconcile.js';

export interface KVMClusterControllerOptions extends ClusterWorld {
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createKVMClusterController(options: KVMClusterControllerOptions): Controller {
  const { sources, concurrency, filter, endpoints } = options;
  // By its label, not by way of the Cluster, which may be gone first.
  const mapToCluster = ({ metadata }: Frozen<KubeObject>): ObjectKey[] => {
    const name = metadata.labels?.[labels.clusterName] ?? '';
    return keysOfCluster(sources, kvmClusters, { namespace: metadata.namespace ?? '', name });
  };
  return createController({
    name: 'kvmcluster',
    for: kvmClusters,
    concurrency,
    filter,
    watches: [
      clusterWatch(kvmClusters),
      watch(kvmMachines, { map: mapToCluster }),
      // Made by us and read from the cache.
      watch(inClusterIpPools, { map: () => [] }),
      ...endpoints.flatMap((endpoint) => endpoint.watches?.() ?? []),
    ],
    triggers: endpoints.flatMap((endpoint) => endpoint.triggers?.() ?? []),
    reconcile: (key, context) => reconcileKVMCluster(key, context, options),
  });
}
