import { ensureOwnerReference, ownerReference } from '@slipway/runtime';
import type { VirtualMachineSetResourcePolicy } from '../../api/index.js';
import { controlPlaneModuleGroup, workersModuleGroup } from '../names.js';
import { apiVersionOf, ensureObject } from '../platform.js';
import type { ClusterScope } from './scope.js';

/** A folder, a resource pool and groups that keep machines apart, all named as the cluster. */
export async function ensureResourcePolicy({
  context,
  dependencies,
  cluster,
  vsphereCluster,
}: ClusterScope): Promise<void> {
  const { namespace = '', name = '' } = cluster.metadata;
  const resource = dependencies.platform.virtualMachineSetResourcePolicies;
  const current = context.sources.sourceFor(resource).get({ namespace, name });
  const empty: VirtualMachineSetResourcePolicy = {
    apiVersion: apiVersionOf(resource) as VirtualMachineSetResourcePolicy['apiVersion'],
    kind: resource.kind as VirtualMachineSetResourcePolicy['kind'],
    metadata: { namespace, name },
  };
  await ensureObject(
    context,
    resource,
    current,
    empty,
    (draft) => {
      ensureOwnerReference(draft.metadata, ownerReference(vsphereCluster));
      draft.spec = {
        ...draft.spec,
        resourcePool: { ...draft.spec?.resourcePool, name },
        folder: name,
        clusterModuleGroups: moduleGroups(draft.spec?.clusterModuleGroups ?? [], name),
      };
    },
    {
      reason: 'ResourcePolicyRequired',
      message: `Requested the folder, resource pool and module groups of Cluster ${name}`,
    },
  );
}

/** Groups that others asked for stay. */
function moduleGroups(current: readonly string[], clusterName: string): string[] {
  return [...new Set([...current, controlPlaneModuleGroup, workersModuleGroup(clusterName)])];
}
