import { defineKind, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineSetResourcePolicy = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineSetResourcePolicy',
  plural: 'virtualmachinesetresourcepolicies',
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'A folder, a resource pool and groups for the virtual machines of a cluster.',
    schema: {
      spec: optional(
        object(
          {
            clusterModuleGroups: optional(list(string())),
            folder: optional(string()),
            resourcePool: optional(object({ name: optional(string()) }, { preserveUnknownFields: true })),
          },
          { preserveUnknownFields: true },
        ),
      ),
      status: optional(object({}, { preserveUnknownFields: true })),
    },
  }),
});

export type VirtualMachineSetResourcePolicy = ObjectOf<typeof virtualMachineSetResourcePolicy>;
