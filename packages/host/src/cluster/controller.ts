import { clusters, labels, type ObservedCluster } from '@slipway/cluster-api';
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
import { isControlPlane } from './cluster-machines.js';
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
    return cluster === undefined ? [] : mapToInfrastructure(cluster);
  };
  return createController({
    name: 'hostcluster',
    for: hostClusters,
    concurrency,
    filter,
    watches: [
      watch(clusters, { map: mapToInfrastructure }),
      // Those of the control plane are what the balancer forwards to; and the link goes after the last machine of any kind.
      watch(hostMachines, {
        map: mapToCluster,
        filter: ({ object, type }) => isControlPlane(object) || type === 'deleted',
      }),
    ],
    reconcile: (key, context) => reconcileHostCluster(key, context, engine),
  });
}

function mapToInfrastructure(cluster: ObservedCluster): ObjectKey[] {
  const reference = cluster.spec.infrastructureRef;
  if (reference?.kind !== hostClusters.kind || reference.apiGroup !== hostClusters.group) return [];
  return [{ namespace: cluster.metadata.namespace ?? '', name: reference.name }];
}
