import { type Cluster, clusters, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  mapToOwner,
  type ObjectKey,
  type Resource,
  type Sources,
  watch,
} from '@slipway/runtime';
import { type SupervisorMachine, supervisorClusters, supervisorMachines } from '../../api/index.js';
import type { SupervisorWorld } from '../world.js';
import { addressOf } from './endpoint.js';
import { reconcileSupervisorCluster } from './reconcile.js';

export interface SupervisorClusterControllerOptions {
  readonly world: SupervisorWorld;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createSupervisorClusterController(options: SupervisorClusterControllerOptions): Controller {
  const { world, sources, concurrency, filter } = options;
  const toOwner = mapToOwner(supervisorClusters as Resource);
  const { virtualMachineServices, virtualMachineSetResourcePolicies } = world.platform;
  return createController({
    name: 'supervisor-vspherecluster',
    for: supervisorClusters,
    concurrency,
    filter,
    watches: [
      watch(clusters, { map: infrastructureOf }),
      watch(supervisorMachines, {
        map: (machine) => clusterOfMachine(sources, machine),
        // Only their addresses matter, where there is no load balancer.
        filter: ({ object, previous }) => previous === undefined || addressOf(object) !== addressOf(previous),
      }),
      { resource: virtualMachineServices as Resource, map: toOwner },
      { resource: virtualMachineSetResourcePolicies as Resource, map: toOwner },
    ],
    reconcile: (key, context) => reconcileSupervisorCluster(key, context, world),
  });
}

/** By group and kind: the other mode has clusters of the same kind and perhaps the same name. */
export function infrastructureOf(cluster: Frozen<Cluster>): ObjectKey[] {
  const reference = cluster.spec.infrastructureRef;
  if (reference?.kind !== supervisorClusters.kind || reference.apiGroup !== supervisorClusters.group) return [];
  return [{ namespace: cluster.metadata.namespace ?? '', name: reference.name }];
}

function clusterOfMachine(sources: Sources, { metadata }: Frozen<SupervisorMachine>): ObjectKey[] {
  const { namespace = '', labels: own = {} } = metadata;
  if (!Object.hasOwn(own, labels.controlPlane)) return [];
  const cluster = sources.sourceFor(clusters).get({ namespace, name: own[labels.clusterName] ?? '' });
  return cluster === undefined ? [] : infrastructureOf(cluster);
}
