import { clusters, clusterWatch, inClusterIpPools, infrastructureOfCluster, labels } from '@slipway/cluster-api';
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
  const mapToCluster = (machine: Frozen<KubeObject>): ObjectKey[] => {
    const name = machine.metadata.labels?.[labels.clusterName] ?? '';
    const cluster = sources.sourceFor(clusters).get({ namespace: machine.metadata.namespace ?? '', name });
    return cluster === undefined ? [] : infrastructureOfCluster(kvmClusters, cluster);
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
