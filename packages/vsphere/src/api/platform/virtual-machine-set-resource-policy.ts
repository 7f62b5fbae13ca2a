import { defineKind, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineSetResourcePolicy = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineSetResourcePolicy',
  plural: 'virtualmachinesetresourcepolicies',
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description:
      'A folder, a resource pool and cluster modules that VM Operator creates for the virtual machines of a cluster.',
    schema: {
      spec: optional(
        object(
          {
            clusterModuleGroups: optional(
              list(string(), {
                description:
                  'Names of groups. VM Operator creates a cluster module for each, and keeps its virtual machines on different hosts.',
              }),
            ),
            folder: optional(string({ description: 'Name of the folder that is created for the virtual machines.' })),
            resourcePool: optional(
              object(
                { name: optional(string({ description: 'Name of the resource pool.' })) },
                {
                  preserveUnknownFields: true,
                  description: 'Resource pool that is created for the virtual machines.',
                },
              ),
            ),
          },
          { preserveUnknownFields: true, description: 'Desired folder, resource pool and cluster modules.' },
        ),
      ),
      status: optional(
        object(
          {},
          {
            preserveUnknownFields: true,
            description: 'Observed state. Defined by VM Operator. The provider does not read it.',
          },
        ),
      ),
    },
  }),
});

export type VirtualMachineSetResourcePolicy = ObjectOf<typeof virtualMachineSetResourcePolicy>;
