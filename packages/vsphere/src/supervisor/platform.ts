import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import { type Client, edit, patchObject, type ReconcileContext, type Resource, resourceOf } from '@slipway/runtime';
import * as api from '../api/index.js';

/** VM Operator's kinds at the version that the Supervisor is spoken to in; their fields are the same to us at each. */
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

/** The apiVersion under which a resource is written. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Makes the object, or changes it: `fill` completes a new one and an old one alike. Only what differs is sent, as a merge
 * patch: fields that we know nothing of belong to others and stay as they are.
 */
export async function ensureObject<T extends KubeObject>(
  context: Pick<ReconcileContext, 'client' | 'signal'>,
  resource: Resource<T>,
  current: Frozen<NoInfer<T>> | undefined,
  empty: NoInfer<T>,
  fill: (draft: NoInfer<T>) => void,
): Promise<Frozen<T>> {
  const { client, signal } = context;
  if (current === undefined) {
    fill(empty);
    return client.create(resource, empty, { signal });
  }
  const after = edit(current as object, (draft) => fill(draft as Thawed<object> as T)) as Frozen<T>;
  return patchObject(client, resource, current, after, { signal });
}

/** Whether the server has a kind that only some Supervisors have. */
export async function isServed(client: Pick<Client, 'resourceFor'>, resource: Resource): Promise<boolean> {
  const { group, kind, version } = resource;
  return (await client.resourceFor({ group, kind, version })) !== undefined;
}
