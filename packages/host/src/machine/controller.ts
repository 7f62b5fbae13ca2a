import { clusterOfMachinesWatch, ipAddressClaims, ipAddresses, machineWatch } from '@slipway/cluster-api';
import {
  type AnyPredicate,
  type Controller,
  createController,
  mapToOwner,
  type Sources,
  watch,
} from '@slipway/runtime';
import { hostClusters, hostMachines } from '../api/index.js';
import type { Engine } from '../engine/index.js';
import { reconcileHostMachine } from './reconcile.js';

export interface HostMachineControllerOptions {
  readonly engine: Engine;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createHostMachineController(options: HostMachineControllerOptions): Controller {
  const { engine, sources, concurrency, filter } = options;
  return createController({
    name: 'hostmachine',
    for: hostMachines,
    concurrency,
    filter,
    watches: [
      machineWatch(hostMachines),
      clusterOfMachinesWatch(sources, hostMachines),
      watch(ipAddressClaims, { map: mapToOwner(hostMachines) }),
      // Read by way of their claims, whose events tell.
      watch(ipAddresses, { map: () => [] }),
      watch(hostClusters, { map: () => [] }),
    ],
    reconcile: (key, context) => reconcileHostMachine(key, context, engine),
  });
}
