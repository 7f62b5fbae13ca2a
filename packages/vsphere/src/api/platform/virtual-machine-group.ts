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
    description: 'Virtual machines of a Supervisor that VM Operator places as one group.',
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
                          kind: optional(
                            enumeration(memberKinds, {
                              default: 'VirtualMachine',
                              description: 'Kind of the member. Defaults to VirtualMachine.',
                            }),
                          ),
                          name: string({ description: 'Name of the member.' }),
                        }),
                        ['kind', 'name'],
                        { description: 'Members of the group.' },
                      ),
                    ),
                  },
                  { preserveUnknownFields: true },
                ),
                { description: 'Members of the group, in sets that are powered on one after the other.' },
              ),
            ),
          },
          { preserveUnknownFields: true, description: 'Desired members of the group.' },
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
                    kind: enumeration(memberKinds, { description: 'Kind of the member.' }),
                    name: string({ description: 'Name of the member.' }),
                    placement: optional(
                      object(
                        { zoneID: optional(string({ description: 'Zone that was chosen for the member.' })) },
                        { preserveUnknownFields: true, description: 'Where the member was placed.' },
                      ),
                    ),
                  },
                  { preserveUnknownFields: true },
                ),
                ['name', 'kind'],
                { description: 'State of each member.' },
              ),
            ),
          },
          { preserveUnknownFields: true, description: 'Observed state of the group.' },
        ),
      ),
    },
  }),
});

export type VirtualMachineGroup = ObjectOf<typeof virtualMachineGroup>;
