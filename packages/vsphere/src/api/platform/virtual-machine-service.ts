import { atomicList, defineKind, int32, list, map, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineService = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineService',
  plural: 'virtualmachineservices',
  shortNames: ['vmservice'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'One address for several virtual machines of a Supervisor.',
    schema: {
      spec: optional(
        object(
          {
            ipFamilies: optional(atomicList(string())),
            ipFamilyPolicy: optional(string()),
            ports: optional(list(object({ name: string(), port: int32(), protocol: string(), targetPort: int32() }))),
            selector: optional(map(string())),
            type: string(),
          },
          { preserveUnknownFields: true },
        ),
      ),
      status: optional(
        object(
          {
            loadBalancer: optional(
              object({
                ingress: optional(list(object({ hostname: optional(string()), ip: optional(string()) }))),
              }),
            ),
          },
          { preserveUnknownFields: true },
        ),
      ),
    },
    columns: [
      { name: 'Type', type: 'string', jsonPath: '.spec.type' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  }),
});

export type VirtualMachineService = ObjectOf<typeof virtualMachineService>;
