import { defineKind, int64, list, object, type ObjectOf, optional, quantity, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineClass = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineClass',
  plural: 'virtualmachineclasses',
  shortNames: ['vmclass'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'A size of virtual machines.',
    schema: {
      spec: optional(
        object(
          {
            hardware: optional(
              object({ cpus: optional(int64()), memory: optional(quantity()) }, { preserveUnknownFields: true }),
            ),
          },
          { preserveUnknownFields: true },
        ),
      ),
      status: optional(object({}, { preserveUnknownFields: true })),
    },
    columns: [
      { name: 'CPU', type: 'string', jsonPath: '.spec.hardware.cpus' },
      { name: 'Memory', type: 'string', jsonPath: '.spec.hardware.memory' },
    ],
  }),
});

const imageSchema = {
  spec: optional(object({}, { preserveUnknownFields: true })),
  status: optional(
    object(
      {
        vmwareSystemProperties: optional(list(object({ key: string(), value: optional(string()) }))),
      },
      { preserveUnknownFields: true },
    ),
  ),
} as const;

export const virtualMachineImage = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineImage',
  plural: 'virtualmachineimages',
  shortNames: ['vmi', 'vmimage'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({ description: 'What virtual machines are made from.', schema: imageSchema }),
});

export const clusterVirtualMachineImage = defineKind({
  group: vmOperatorGroup,
  kind: 'ClusterVirtualMachineImage',
  plural: 'clustervirtualmachineimages',
  shortNames: ['cvmi', 'cvmimage', 'clustervmi', 'clustervmimage'],
  scope: 'Cluster',
  versions: vmOperatorVersionsOf({
    description: 'What virtual machines of every namespace are made from.',
    schema: imageSchema,
  }),
});

export type VirtualMachineClass = ObjectOf<typeof virtualMachineClass>;
export type ClusterVirtualMachineImage = ObjectOf<typeof clusterVirtualMachineImage>;
