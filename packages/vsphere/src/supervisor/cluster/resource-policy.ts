import { ensureOwnerReference, ownerReference } from '@slipway/runtime';
import type { VirtualMachineSetResourcePolicy } from '../../api/index.js';
import { controlPlaneModuleGroup, workersModuleGroup } from '../names.js';
import { apiVersionOf, ensureObject } from '../platform.js';
import type { ClusterScope } from './scope.js';

/** Ensures the resource policy with the folder, the resource pool and the cluster module groups of the cluster. */
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

/** Returns the module groups of the cluster, together with groups that other clients added. */
function moduleGroups(current: readonly string[], clusterName: string): string[] {
  return [...new Set([...current, controlPlaneModuleGroup, workersModuleGroup(clusterName)])];
}
