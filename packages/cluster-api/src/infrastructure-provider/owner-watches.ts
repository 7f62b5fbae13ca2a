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

/** Looks at the infrastructure of a Cluster again when the Cluster changes, or what the filter lets through of that. */
export function clusterWatch(kind: Kind, filter: AnyPredicate = () => true): Watch {
  return watch(clusters, { map: (cluster) => infrastructureOfCluster(kind, cluster), filter });
}

/** Looks at the infrastructure of a Machine again when the Machine changes, or what the filter lets through of that. */
export function machineWatch(kind: Kind, filter: AnyPredicate = () => true): Watch {
  return watch(machines, { map: (machine) => referenced(kind, machine, machine.spec.infrastructureRef), filter });
}

/** Looks at the infrastructure of a MachinePool again when the pool changes. */
export function machinePoolWatch(kind: Kind): Watch {
  return watch(machinePools, { map: (pool) => referenced(kind, pool, pool.spec.template.spec.infrastructureRef) });
}

/** Looks at all machines of a Cluster again when what they wait for comes true, or when it is paused. */
export function clusterOfMachinesWatch<T extends KubeObject>(sources: Sources, resource: Resource<T>): Watch {
  return watch(clusters, {
    map: (cluster) => keysOfCluster(sources, resource, keyOf(cluster)),
    filter: mattersToMachines,
  });
}

/** The infrastructure that a Cluster names, if it is of this kind. */
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
