import { clusters, clusterWatch, definitionsWatch, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  mapToOwner,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { type SupervisorMachine, supervisorClusters, supervisorMachines } from '../../api/index.js';
import type { SupervisorWorld } from '../world.js';
import { addressOf } from './endpoint.js';
import { reconcileSupervisorCluster } from './reconcile.js';

export function createSupervisorClusterController(context: ControllerContext, world: SupervisorWorld): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  const toOwner = mapToOwner(supervisorClusters);
  const { virtualMachineServices, virtualMachineSetResourcePolicies } = world.platform;
  return createController({
    name: 'supervisor-vspherecluster',
    for: supervisorClusters,
    concurrency,
    filter,
    watches: [
      // By group and kind: the other mode has clusters of the same kind and perhaps the same name.
      clusterWatch(supervisorClusters),
      watch(supervisorMachines, {
        map: (machine) => clusterOfMachine(sources, machine),
        // Only their addresses matter, where there is no load balancer.
        filter: ({ object, previous }) => previous === undefined || addressOf(object) !== addressOf(previous),
      }),
      definitionsWatch,
      { resource: virtualMachineServices, map: toOwner },
      { resource: virtualMachineSetResourcePolicies, map: toOwner },
    ],
    reconcile: (key, context) => reconcileSupervisorCluster(key, context, world),
  });
}

function clusterOfMachine(sources: Sources, { metadata }: Frozen<SupervisorMachine>): ObjectKey[] {
  const { namespace = '', labels: own = {} } = metadata;
  if (!Object.hasOwn(own, labels.controlPlane)) return [];
  const cluster = sources.sourceFor(clusters).get({ namespace, name: own[labels.clusterName] ?? '' });
  const reference = cluster?.spec.infrastructureRef;
  return reference?.apiGroup === supervisorClusters.group ? [{ namespace, name: reference.name }] : [];
}
