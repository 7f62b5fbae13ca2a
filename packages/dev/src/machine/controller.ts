import { clusters, keysOfCluster, type Machine, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  anyOf,
  type Controller,
  createController,
  generationChanged,
  keyOf,
  labelsChanged,
  type ObjectChange,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import type { Cluster } from '@slipway/cluster-api';
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
  const machinesOf = (cluster: Pick<Frozen<Cluster>, 'metadata'>): ObjectKey[] =>
    keysOfCluster(sources, devMachines, keyOf(cluster));
  return createController({
    name: 'devmachine',
    for: devMachines,
    concurrency,
    filter,
    watches: [
      // A machine reports much; what matters here is what is wanted of it.
      watch(machines, { map: mapToInfrastructure, filter: anyOf(generationChanged, labelsChanged) }),
      watch(clusters, { map: machinesOf, filter: mattersToMachines }),
      // Machines look whether it is there; what changes in it they learn from the Cluster.
      watch(devClusters, { map: () => [] }),
    ],
    reconcile: (key, context) => reconcileDevMachine(key, context, workloads),
  });
}

function mapToInfrastructure(machine: Frozen<Machine>): ObjectKey[] {
  const { kind, apiGroup, name } = machine.spec.infrastructureRef;
  if (kind !== devMachines.kind || apiGroup !== devMachines.group) return [];
  return [{ namespace: machine.metadata.namespace ?? '', name }];
}

/** Clusters change often, and what machines wait for in them seldom. */
function mattersToMachines({ object, previous }: ObjectChange<Cluster>): boolean {
  if (previous === undefined) return true;
  const [is, was] = [object.status?.initialization, previous.status?.initialization];
  return (
    is?.infrastructureProvisioned !== was?.infrastructureProvisioned ||
    is?.controlPlaneInitialized !== was?.controlPlaneInitialized ||
    object.spec.paused !== previous.spec.paused
  );
}
