import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type AnyPredicate,
  keyOf,
  type ObjectChange,
  type ObjectKey,
  type Resource,
  type Sources,
  watch,
  type Watch,
} from '@slipway/runtime';
import { type Cluster, clusters, type Machine, machinePools, machines } from '../api/index.js';
import { keysOfCluster, type ObservedCluster } from '../reconcile/index.js';

type Kind = Pick<Resource, 'group' | 'kind'>;

/** Returns a watch that enqueues the infrastructure of a Cluster when a change of the Cluster passes the filter. */
export function clusterWatch(kind: Kind, filter: AnyPredicate = () => true): Watch {
  return watch(clusters, { map: (cluster) => infrastructureOfCluster(kind, cluster), filter });
}

/** Returns a watch that enqueues the infrastructure of a Machine when a change of the Machine passes the filter. */
export function machineWatch(kind: Kind, filter: AnyPredicate = () => true): Watch {
  return watch(machines, { map: (machine) => referenced(kind, machine, machine.spec.infrastructureRef), filter });
}

/** Returns a watch that enqueues the infrastructure of a MachinePool when the pool changes. */
export function machinePoolWatch(kind: Kind): Watch {
  return watch(machinePools, { map: (pool) => referenced(kind, pool, pool.spec.template.spec.infrastructureRef) });
}

/**
 * Returns a watch that enqueues all machines of a Cluster when one of their prerequisites becomes true or the Cluster is paused.
 */
export function clusterOfMachinesWatch<T extends KubeObject>(sources: Sources, resource: Resource<T>): Watch {
  return watch(clusters, {
    map: (cluster) => keysOfCluster(sources, resource, keyOf(cluster)),
    filter: mattersToMachines,
  });
}

/** Returns the infrastructure that a Cluster references, if it is of this kind. */
export function infrastructureOfCluster(kind: Kind, cluster: ObservedCluster): ObjectKey[] {
  return referenced(kind, cluster, cluster.spec.infrastructureRef);
}

function referenced(
  { group, kind }: Kind,
  owner: Pick<Frozen<KubeObject>, 'metadata'>,
  reference: Frozen<Machine>['spec']['infrastructureRef'] | undefined,
): ObjectKey[] {
  if (reference?.kind !== kind || reference.apiGroup !== group) return [];
  return [{ namespace: owner.metadata.namespace ?? '', name: reference.name }];
}

/**
 * Returns whether a change of a Cluster affects its machines. Clusters change often, but the prerequisites of machines rarely.
 */
function mattersToMachines({ object, previous }: ObjectChange<Cluster>): boolean {
  if (previous === undefined) return true;
  const [is, was] = [object.status?.initialization, previous.status?.initialization];
  return (
    is?.infrastructureProvisioned !== was?.infrastructureProvisioned ||
    is?.controlPlaneInitialized !== was?.controlPlaneInitialized ||
    object.spec.paused !== previous.spec.paused
  );
}
