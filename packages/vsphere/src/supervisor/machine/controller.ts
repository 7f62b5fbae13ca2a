import { type Controller, type ControllerContext, keyOf, mapToController, type Sources, watch } from '@slipway/runtime';
import { type SupervisorCluster, supervisorClusters, supervisorMachines } from '../../api/index.js';
import { createVSphereMachineController } from '../../machine/index.js';
import type { Frozen } from '@slipway/kube';
import { keysOfCluster, machineDeployments, ownerClusterOf } from '@slipway/cluster-api';
import { placesByGroup, type SupervisorWorld } from '../world.js';
import { placeByGroup } from './group-placement.js';
import { placeByFailureDomain } from './placement.js';
import { createSupervisorVmService } from './supervisor-vm-service.js';

export function createSupervisorMachineController(context: ControllerContext, world: SupervisorWorld): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  const byGroup = placesByGroup(world.features);
  return createVSphereMachineController({
    name: 'supervisor-vspheremachine',
    service: createSupervisorVmService(world, byGroup ? placeByGroup(world) : placeByFailureDomain),
    sources,
    concurrency,
    filter,
    watches: [
      {
        resource: world.platform.virtualMachines,
        map: mapToController(supervisorMachines),
      },
      ...(byGroup
        ? [
            watch(world.platform.virtualMachineGroups, {
              map: (group) => keysOfCluster(sources, supervisorMachines, keyOf(group)),
            }),
            watch(machineDeployments, { map: () => [] }),
          ]
        : []),
      // Machines look at the network and the failure domains of their cluster; they change seldom.
      watch(supervisorClusters, {
        map: (vsphereCluster) => machinesOf(sources, vsphereCluster),
        filter: ({ object, previous }) =>
          previous === undefined || object.metadata.generation !== previous.metadata.generation,
      }),
    ],
  });
}

function machinesOf(sources: Sources, vsphereCluster: Frozen<SupervisorCluster>): ReturnType<typeof keysOfCluster> {
  const cluster = ownerClusterOf(sources, vsphereCluster);
  if (cluster === undefined) return [];
  const { namespace = '', name = '' } = cluster.metadata;
  return keysOfCluster(sources, supervisorMachines, { namespace, name });
}
