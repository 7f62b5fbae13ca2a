import { clusters, keysOfCluster, machinePoolWatch, type ObservedCluster } from '@slipway/cluster-api';
import {
  type AnyPredicate,
  type Controller,
  createController,
  keyOf,
  mapToOwner,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { devMachinePools, devMachines } from '../api/index.js';
import { reconcileDevMachinePool } from './reconcile.js';

export interface DevMachinePoolControllerOptions {
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createDevMachinePoolController(options: DevMachinePoolControllerOptions): Controller {
  const { sources, concurrency, filter } = options;
  const poolsOf = (cluster: ObservedCluster): ObjectKey[] => keysOfCluster(sources, devMachinePools, keyOf(cluster));
  return createController({
    name: 'devmachinepool',
    for: devMachinePools,
    concurrency,
    filter,
    watches: [
      machinePoolWatch(devMachinePools),
      watch(clusters, { map: poolsOf }),
      { resource: devMachines, map: mapToOwner(devMachinePools) },
    ],
    reconcile: reconcileDevMachinePool,
  });
}
