import {
  type Cluster,
  clusters,
  ipAddressClaims,
  ipAddresses,
  keysOfCluster,
  type Machine,
  machines,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  keyOf,
  mapToOwner,
  type ObjectChange,
  type ObjectKey,
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
  const machinesOf = (cluster: Pick<Frozen<Cluster>, 'metadata'>): ObjectKey[] =>
    keysOfCluster(sources, hostMachines, keyOf(cluster));
  return createController({
    name: 'hostmachine',
    for: hostMachines,
    concurrency,
    filter,
    watches: [
      watch(machines, { map: mapToInfrastructure }),
      watch(clusters, { map: machinesOf, filter: mattersToMachines }),
      watch(ipAddressClaims, { map: mapToOwner(hostMachines) }),
      // Read by way of their claims, whose events tell.
      watch(ipAddresses, { map: () => [] }),
      watch(hostClusters, { map: () => [] }),
    ],
    reconcile: (key, context) => reconcileHostMachine(key, context, engine),
  });
}

function mapToInfrastructure(machine: Frozen<Machine>): ObjectKey[] {
  const { kind, apiGroup, name } = machine.spec.infrastructureRef;
  if (kind !== hostMachines.kind || apiGroup !== hostMachines.group) return [];
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
