import { clusters, clusterWatch, infrastructureOfCluster, isControlPlaneMachine, labels } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { hostClusters, hostMachines } from '../api/index.js';
import type { Engine } from '../engine/index.js';
import { reconcileHostCluster } from './reconcile.js';

export interface HostClusterControllerOptions {
  readonly engine: Engine;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createHostClusterController(options: HostClusterControllerOptions): Controller {
  const { engine, sources, concurrency, filter } = options;
  const mapToCluster = (machine: Frozen<KubeObject>): ObjectKey[] => {
    const name = machine.metadata.labels?.[labels.clusterName] ?? '';
    const cluster = sources.sourceFor(clusters).get({ namespace: machine.metadata.namespace ?? '', name });
    return cluster === undefined ? [] : infrastructureOfCluster(hostClusters, cluster);
  };
  return createController({
    name: 'hostcluster',
    for: hostClusters,
    concurrency,
    filter,
    watches: [
      clusterWatch(hostClusters),
      // Those of the control plane are what the balancer forwards to; and the link goes after the last machine of any kind.
      watch(hostMachines, {
        map: mapToCluster,
        filter: ({ object, type }) => isControlPlaneMachine(object) || type === 'deleted',
      }),
    ],
    reconcile: (key, context) => reconcileHostCluster(key, context, engine),
  });
}
