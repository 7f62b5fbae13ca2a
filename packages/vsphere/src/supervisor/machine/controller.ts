import {
  type AnyPredicate,
  type Controller,
  mapToController,
  type Resource,
  type Sources,
  watch,
} from '@slipway/runtime';
import { type SupervisorCluster, supervisorClusters, supervisorMachines } from '../../api/index.js';
import { createVSphereMachineController } from '../../machine/index.js';
import type { Frozen } from '@slipway/kube';
import { keysOfCluster } from '@slipway/cluster-api';
import { ownerCluster } from '../cluster/scope.js';
import type { SupervisorWorld } from '../world.js';
import { placeByFailureDomain } from './placement.js';
import { createSupervisorVmService } from './supervisor-vm-service.js';

export interface SupervisorMachineControllerOptions {
  readonly world: SupervisorWorld;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createSupervisorMachineController(options: SupervisorMachineControllerOptions): Controller {
  const { world, sources, concurrency, filter } = options;
  return createVSphereMachineController({
    name: 'supervisor-vspheremachine',
    service: createSupervisorVmService(world, placeByFailureDomain),
    sources,
    concurrency,
    filter,
    watches: [
      {
        resource: world.platform.virtualMachines as Resource,
        map: mapToController(supervisorMachines as Resource),
      },
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
  const cluster = ownerCluster(sources, vsphereCluster);
  if (cluster === undefined) return [];
  const { namespace = '', name = '' } = cluster.metadata;
  return keysOfCluster(sources, supervisorMachines, { namespace, name });
}
