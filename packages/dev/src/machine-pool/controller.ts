import { clusters, keysOfCluster, type MachinePool, machinePools, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
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
      watch(machinePools, { map: mapToInfrastructure }),
      watch(clusters, { map: poolsOf }),
      { resource: devMachines, map: mapToOwner(devMachinePools) },
    ],
    reconcile: reconcileDevMachinePool,
  });
}

function mapToInfrastructure(pool: Frozen<MachinePool>): ObjectKey[] {
  const { kind, apiGroup, name } = pool.spec.template.spec.infrastructureRef;
  if (kind !== devMachinePools.kind || apiGroup !== devMachinePools.group) return [];
  return [{ namespace: pool.metadata.namespace ?? '', name }];
}
