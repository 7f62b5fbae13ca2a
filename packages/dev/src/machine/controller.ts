import { clusterOfMachinesWatch, machineWatch } from '@slipway/cluster-api';
import {
  type AnyPredicate,
  type Controller,
  createController,
  generationChanged,
  labelsChanged,
  type Sources,
  watch,
} from '@slipway/runtime';
import { devClusters, devMachines } from '../api/index.js';
import type { WorkloadClusters } from '../workload/index.js';
import { reconcileDevMachine } from './reconcile.js';

export interface DevMachineControllerOptions {
  readonly workloads: WorkloadClusters;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createDevMachineController(options: DevMachineControllerOptions): Controller {
  const { workloads, sources, concurrency, filter } = options;
  return createController({
    name: 'devmachine',
    for: devMachines,
    concurrency,
    filter,
    watches: [
      // A machine reports much; what matters here is what is wanted of it.
      machineWatch(devMachines, (change) => generationChanged(change) || labelsChanged(change)),
      clusterOfMachinesWatch(sources, devMachines),
      // Machines look whether it is there; what changes in it they learn from the Cluster.
      watch(devClusters, { map: () => [] }),
    ],
    reconcile: (key, context) => reconcileDevMachine(key, context, workloads),
  });
}
