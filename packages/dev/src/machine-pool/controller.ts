import { clusters, keysOfCluster, machinePoolWatch, type ObservedCluster } from '@slipway/cluster-api';
import {
  type Controller,
  type ControllerContext,
  createController,
  keyOf,
  mapToOwner,
  type ObjectKey,
  watch,
} from '@slipway/runtime';
import { devMachinePools, devMachines } from '../api/index.js';
import { reconcileDevMachinePool } from './reconcile.js';

export function createDevMachinePoolController({
  sources,
  concurrency,
  watchFilter,
}: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>): Controller {
  const poolsOf = (cluster: ObservedCluster): ObjectKey[] => keysOfCluster(sources, devMachinePools, keyOf(cluster));
  return createController({
    name: 'devmachinepool',
    for: devMachinePools,
    concurrency,
    filter: watchFilter,
    watches: [
      machinePoolWatch(devMachinePools),
      watch(clusters, { map: poolsOf }),
      { resource: devMachines, map: mapToOwner(devMachinePools) },
    ],
    reconcile: reconcileDevMachinePool,
  });
}
