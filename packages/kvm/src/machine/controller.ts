import { clusterOfMachinesWatch, ipAddressClaims, ipAddresses, machineWatch } from '@slipway/cluster-api';
import {
  type AnyPredicate,
  type Controller,
  createController,
  mapToOwner,
  type Sources,
  watch,
} from '@slipway/runtime';
import { kvmClusters, kvmMachines } from '../api/index.js';
import { type MachineWorld, reconcileKVMMachine } from './reconcile.js';

export interface KVMMachineControllerOptions extends MachineWorld {
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createKVMMachineController(options: KVMMachineControllerOptions): Controller {
  const { sources, concurrency, filter } = options;
  const services = [...options.services.values()];
  return createController({
    name: 'kvmmachine',
    for: kvmMachines,
    concurrency,
    filter,
    watches: [
      machineWatch(kvmMachines),
      clusterOfMachinesWatch(sources, kvmMachines),
      watch(ipAddressClaims, { map: mapToOwner(kvmMachines) }),
      // Read by way of their claims, whose events tell.
      watch(ipAddresses, { map: () => [] }),
      watch(kvmClusters, { map: () => [] }),
      ...services.flatMap((service) => service.watches?.() ?? []),
    ],
    triggers: services.flatMap((service) => service.triggers?.() ?? []),
    reconcile: (key, context) => reconcileKVMMachine(key, context, options),
  });
}
