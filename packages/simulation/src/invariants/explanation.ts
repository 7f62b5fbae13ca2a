import type { ObjectStore } from '@slipway/apiserver';
import { clusters, machineDeployments, machines, machineSets } from '@slipway/cluster-api';
import { parseTime } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Resource } from '@slipway/runtime';
import { conditionOf, objectsOf } from '../objects/object-fields.js';

/** Kinds with the type of their summary condition. */
const summaries: readonly (readonly [Resource, string])[] = [
  [clusters, 'Available'],
  [kubeadmControlPlanes, 'Available'],
  [machineDeployments, 'Available'],
  [machineSets, 'MachinesReady'],
  [machines, 'Ready'],
];

/** Returns the objects that are old enough to have been reconciled, are not ready, and do not report a reason. */
export function unexplained(store: ObjectStore, olderThanMs: number): readonly string[] {
  return summaries.flatMap(([resource, type]) =>
    objectsOf(store, resource).flatMap((object) => {
      const { name = '', creationTimestamp = '' } = object.metadata;
      if (!(parseTime(creationTimestamp ?? '') < olderThanMs)) return [];
      const found = conditionOf(object, type);
      if (found?.status === 'True') return [];
      if (found === undefined) return [`${resource.kind} ${name} has no condition ${type}`];
      const isSilent = (found.reason ?? '') === '' || (found.message ?? '') === '';
      return isSilent ? [`${resource.kind} ${name} is not ${type} and reports no reason`] : [];
    }),
  );
}
