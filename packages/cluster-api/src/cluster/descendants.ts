import type { Frozen } from '@slipway/kube';
import {
  type DeleteChange,
  isDeleting,
  isOwnedBy,
  keyOf,
  labelIndex,
  type ObjectKey,
  type Resource,
  type Sources,
} from '@slipway/runtime';
import {
  labels,
  type MachineDeployment,
  machineDeployments,
  type MachinePool,
  machinePools,
  machines,
  type MachineSet,
  machineSets,
} from '../api/index.js';
import { compareNames, isControlPlaneMachine, nameOf, type ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';

export type ObservedDeployment = Frozen<MachineDeployment>;
type ObservedSet = Frozen<MachineSet>;
type ObservedPool = Frozen<MachinePool>;

/** The objects with the name label of a Cluster. Each list is sorted by name. */
export interface Descendants {
  readonly deployments: readonly ObservedDeployment[];
  readonly sets: readonly ObservedSet[];
  readonly pools: readonly ObservedPool[];
  readonly controlPlaneMachines: readonly ObservedMachine[];
  readonly workerMachines: readonly ObservedMachine[];
}

export function descendantsOf(
  sources: Sources,
  { namespace, name }: ObjectKey,
  options: { readonly withPools: boolean },
): Descendants {
  const index = labelIndex(labels.clusterName);
  const value = `${namespace}/${name}`;
  const all = [...sources.sourceFor(machines).byIndex(index, value)].sort(compareNames);
  return {
    deployments: [...sources.sourceFor(machineDeployments).byIndex(index, value)].sort(compareNames),
    sets: [...sources.sourceFor(machineSets).byIndex(index, value)].sort(compareNames),
    pools: options.withPools ? [...sources.sourceFor(machinePools).byIndex(index, value)].sort(compareNames) : [],
    controlPlaneMachines: all.filter(isControlPlaneMachine),
    workerMachines: all.filter((machine) => !isControlPlaneMachine(machine)),
  };
}

type Named = ObservedDeployment | ObservedSet | ObservedPool | ObservedMachine;

/** Deletes the direct children of the Cluster. Their controllers delete the rest. */
export function deleteChildren(cluster: ObservedCluster, descendants: Descendants): DeleteChange[] {
  const lists: readonly (readonly [resource: Resource, objects: readonly Named[]])[] = [
    [machinePools, descendants.pools],
    [machineDeployments, descendants.deployments],
    [machineSets, descendants.sets],
    [machines, descendants.workerMachines],
    [machines, ownControlPlaneMachines(cluster, descendants)],
  ];
  return lists.flatMap(([resource, objects]) =>
    objects
      .filter((object) => isOwnedBy(object, cluster) && !isDeleting(object))
      .map((object) => ({
        verb: 'delete',
        resource,
        key: keyOf(object),
        reason: 'ClusterDeleted',
        message: `Deleted ${resource.kind} ${nameOf(object)}: Cluster ${nameOf(cluster)} is being deleted`,
      })),
  );
}

/**
 * Returns the control plane Machines that the Cluster must delete: none if there is a control plane object, which deletes its
 * own.
 */
function ownControlPlaneMachines(cluster: ObservedCluster, descendants: Descendants): readonly ObservedMachine[] {
  return cluster.spec.controlPlaneRef === undefined ? descendants.controlPlaneMachines : [];
}

const namesMax = 5;

/** Lists what must be deleted before the control plane, one line for each kind. Empty when nothing is left. */
export function pendingDeletion(cluster: ObservedCluster, descendants: Descendants): string[] {
  const lists: readonly (readonly [text: string, objects: readonly Named[]])[] = [
    ['Control plane Machines', ownControlPlaneMachines(cluster, descendants)],
    ['MachineDeployments', descendants.deployments],
    ['MachineSets', descendants.sets],
    ['MachinePools', descendants.pools],
    ['Worker Machines', descendants.workerMachines],
  ];
  return lists
    .filter(([, objects]) => objects.length > 0)
    .map(([text, objects]) => {
      const more = objects.length - namesMax;
      const names = objects.slice(0, namesMax).map((object) => nameOf(object));
      return `* ${text}: ${[...names, ...(more > 0 ? [`... (${more} more)`] : [])].join(', ')}`;
    });
}

/** Whether the Machine belongs to a MachinePool. The pool reports whether such Machines are up to date. */
export function isPoolMachine(machine: ObservedMachine): boolean {
  return Object.hasOwn(machine.metadata.labels ?? {}, labels.poolName);
}
