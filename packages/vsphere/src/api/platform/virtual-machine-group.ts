import { defineKind, enumeration, list, mapList, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { conditions } from '@slipway/cluster-api/schemas';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

const memberKinds = ['VirtualMachine', 'VirtualMachineGroup'] as const;

export const virtualMachineGroup = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineGroup',
  plural: 'virtualmachinegroups',
  shortNames: ['vmg'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'Virtual machines of a Supervisor that are placed together.',
    schema: {
      spec: optional(
        object(
          {
            bootOrder: optional(
              list(
                object(
                  {
                    members: optional(
                      mapList(
                        object({
                          kind: optional(enumeration(memberKinds, { default: 'VirtualMachine' })),
                          name: string(),
                        }),
                        ['kind', 'name'],
                      ),
                    ),
                  },
                  { preserveUnknownFields: true },
                ),
              ),
            ),
          },
          { preserveUnknownFields: true },
        ),
      ),
      status: optional(
        object(
          {
            members: optional(
              mapList(
                object(
                  {
                    conditions: optional(conditions),
                    kind: enumeration(memberKinds),
                    name: string(),
                    placement: optional(object({ zoneID: optional(string()) }, { preserveUnknownFields: true })),
                  },
                  { preserveUnknownFields: true },
                ),
                ['name', 'kind'],
              ),
            ),
          },
          { preserveUnknownFields: true },
        ),
      ),
    },
  }),
});

export type VirtualMachineGroup = ObjectOf<typeof virtualMachineGroup>;
