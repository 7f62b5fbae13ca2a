import { clusters, definitionsWatch, labels, machineDeployments, type ObservedCluster } from '@slipway/cluster-api';

import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';

import {
  type VSphereCluster,
  vsphereClusterIdentities,
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereMachines,
  vsphereMachineTemplates,
  vsphereVms,
} from '../../api/index.js';
import { clustersOfIdentity, clustersOfSecret, StandBy } from '../credentials/index.js';
import { isLoadBalancer } from '../vm/vm-parents.js';
import type { VCenterWorld } from '../world.js';
import { reconcileVSphereCluster } from './reconcile.js';
import { serverIndex } from './server-index.js';

export interface VSphereClusterControllerOptions {
  readonly world: VCenterWorld;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createVSphereClusterController(options: VSphereClusterControllerOptions): Controller {
  const { world, sources, concurrency, filter } = options;
  const standBy = new StandBy();
  const ofCluster = (namespace: string, name: string | undefined): ObjectKey[] => {
    const cluster = name === undefined ? undefined : sources.sourceFor(clusters).get({ namespace, name });
    return cluster === undefined ? [] : infrastructureOf(cluster);
  };
  const byLabel = ({
    metadata,
  }: {
    readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
  }): ObjectKey[] => ofCluster(metadata.namespace ?? '', metadata.labels?.[labels.clusterName]);
  const isLeaving = (key: ObjectKey): boolean => {
    const vsphereCluster = sources.sourceFor(vsphereClusters).get(key);
    return vsphereCluster !== undefined && isDeleting(vsphereCluster);
  };
  return createController({
    name: 'vspherecluster',
    for: vsphereClusters,
    concurrency,
    filter,
    watches: [
      // How it stands is told often, and concerns nobody here.
      watch(clusters, {
        map: infrastructureOf,
        filter: ({ object, previous }) => object.metadata.generation !== previous?.metadata.generation,
      }),
      watch(vsphereDeploymentZones, {
        map: ({ spec }) =>
          sources
            .sourceFor(vsphereClusters)
            .byIndex(serverIndex, spec.server ?? '')
            .map((one) => keyOf(one as Frozen<VSphereCluster>)),
      }),
      // A cluster that goes waits for the last of its machines. To others it is nothing that one is gone.
      watch(vsphereMachines, {
        map: (one) => byLabel(one).filter(isLeaving),
        filter: ({ type }) => type === 'deleted',
      }),
      watch(vsphereVms, { map: byLabel, filter: ({ type, object }) => type === 'deleted' && isLoadBalancer(object) }),
      watch(machineDeployments, { map: byLabel, filter: ({ type }) => type !== 'updated' }),
      watch(vsphereMachineTemplates, { map: () => [] }),
      watch(vsphereClusterIdentities, { map: ({ metadata }) => clustersOfIdentity(sources, metadata.name ?? '') }),
      definitionsWatch,
    ],
    triggers: [
      () => standBy,
      (enqueue) =>
        world.credentials.subscribe((secret) => {
          for (const key of clustersOfSecret(sources, world.controllerNamespace, secret)) enqueue(key);
        }),
    ],
    reconcile: (key, context) => reconcileVSphereCluster(key, context, world, standBy),
  });
}

function infrastructureOf(cluster: ObservedCluster): ObjectKey[] {
  const reference = cluster.spec.infrastructureRef;
  if (reference?.kind !== vsphereClusters.kind || reference.apiGroup !== vsphereClusters.group) return [];
  return [{ namespace: cluster.metadata.namespace ?? '', name: reference.name }];
}
