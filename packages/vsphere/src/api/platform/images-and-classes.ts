import { defineKind, int64, list, object, type ObjectOf, optional, quantity, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineClass = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineClass',
  plural: 'virtualmachineclasses',
  shortNames: ['vmclass'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'CPU and memory of virtual machines of a Supervisor.',
    schema: {
      spec: optional(
        object(
          {
            hardware: optional(
              object(
                {
                  cpus: optional(int64({ description: 'Number of virtual CPUs.' })),
                  memory: optional(quantity({ description: 'Amount of memory.' })),
                },
                { preserveUnknownFields: true, description: 'Virtual hardware.' },
              ),
            ),
          },
          { preserveUnknownFields: true, description: 'Properties of virtual machines of this class.' },
        ),
      ),
      status: optional(
        object(
          {},
          { preserveUnknownFields: true, description: 'Defined by VM Operator. The provider does not read it.' },
        ),
      ),
    },
    columns: [
      { name: 'CPU', type: 'string', jsonPath: '.spec.hardware.cpus' },
      { name: 'Memory', type: 'string', jsonPath: '.spec.hardware.memory' },
    ],
  }),
});

const imageSchema = {
  spec: optional(
    object({}, { preserveUnknownFields: true, description: 'Defined by VM Operator. The provider does not read it.' }),
  ),
  status: optional(
    object(
      {
        vmwareSystemProperties: optional(
          list(
            object({
              key: string({ description: 'Name of the property.' }),
              value: optional(string({ description: 'Value of the property.' })),
            }),
            {
              description:
                'Properties that the publisher of the image set, such as the operating system and the CPU architecture.',
            },
          ),
        ),
      },
      { preserveUnknownFields: true, description: 'Observed state of the image.' },
    ),
  ),
} as const;

export const virtualMachineImage = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineImage',
  plural: 'virtualmachineimages',
  shortNames: ['vmi', 'vmimage'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'An image that virtual machines of a namespace are created from.',
    schema: imageSchema,
  }),
});

export const clusterVirtualMachineImage = defineKind({
  group: vmOperatorGroup,
  kind: 'ClusterVirtualMachineImage',
  plural: 'clustervirtualmachineimages',
  shortNames: ['cvmi', 'cvmimage', 'clustervmi', 'clustervmimage'],
  scope: 'Cluster',
  versions: vmOperatorVersionsOf({
    description: 'An image that virtual machines of all namespaces are created from.',
    schema: imageSchema,
  }),
});

export type VirtualMachineClass = ObjectOf<typeof virtualMachineClass>;
export type ClusterVirtualMachineImage = ObjectOf<typeof clusterVirtualMachineImage>;
