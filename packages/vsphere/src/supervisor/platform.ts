import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import { type Cause, edit, type Reader, type Resource, resourceOf, type Writer } from '@slipway/runtime';
import * as api from '../api/index.js';

/** The VM Operator resources at the configured API version. The used fields are the same in each version. */
export interface PlatformResources {
  readonly version: api.VmOperatorVersion;
  readonly virtualMachines: Resource<api.VirtualMachine>;
  readonly virtualMachineServices: Resource<api.VirtualMachineService>;
  readonly virtualMachineSetResourcePolicies: Resource<api.VirtualMachineSetResourcePolicy>;
  readonly virtualMachineGroups: Resource<api.VirtualMachineGroup>;
  readonly virtualMachineClasses: Resource<api.VirtualMachineClass>;
  readonly clusterVirtualMachineImages: Resource<api.ClusterVirtualMachineImage>;
}

export function platformResources(version: api.VmOperatorVersion): PlatformResources {
  return {
    version,
    virtualMachines: resourceOf(api.virtualMachine, version) as Resource<api.VirtualMachine>,
    virtualMachineServices: resourceOf(api.virtualMachineService, version) as Resource<api.VirtualMachineService>,
    virtualMachineSetResourcePolicies: resourceOf(
      api.virtualMachineSetResourcePolicy,
      version,
    ) as Resource<api.VirtualMachineSetResourcePolicy>,
    virtualMachineGroups: resourceOf(api.virtualMachineGroup, version) as Resource<api.VirtualMachineGroup>,
    virtualMachineClasses: resourceOf(api.virtualMachineClass, version) as Resource<api.VirtualMachineClass>,
    clusterVirtualMachineImages: resourceOf(
      api.clusterVirtualMachineImage,
      version,
    ) as Resource<api.ClusterVirtualMachineImage>,
  };
}

/** Returns the apiVersion with which objects of a resource are written. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Creates or updates the object. `fill` sets the desired fields in both cases. Updates are merge patches of the differences, so
 * fields that this package does not declare are kept.
 */
export function ensureObject<T extends KubeObject>(
  writer: Pick<Writer, 'change'>,
  resource: Resource<T>,
  current: Frozen<NoInfer<T>> | undefined,
  empty: NoInfer<T>,
  fill: (draft: NoInfer<T>) => void,
  { reason, message }: Cause,
): Promise<Frozen<T>> {
  if (current === undefined) {
    fill(empty);
    return writer.change({ verb: 'create', resource, object: empty, reason, message });
  }
  const after = edit(current as object, (draft) => fill(draft as Thawed<object> as T)) as Frozen<T>;
  return writer.change({ verb: 'patch', resource, before: current, after, reason, message });
}

/** Returns whether the server serves a kind that is optional in Supervisors. */
export async function isServed(read: Pick<Reader, 'resourceFor'>, resource: Resource): Promise<boolean> {
  const { group, kind, version } = resource;
  return (await read.resourceFor({ group, kind, version })) !== undefined;
}
