import { atomicList, defineKind, int32, list, map, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

export const virtualMachineService = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachineService',
  plural: 'virtualmachineservices',
  shortNames: ['vmservice'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'A Service for virtual machines of a Supervisor, such as a load balancer in front of a control plane.',
    schema: {
      spec: optional(
        object(
          {
            ipFamilies: optional(
              atomicList(string(), {
                description: 'IP families of the service in order of preference: IPv4 and IPv6.',
              }),
            ),
            ipFamilyPolicy: optional(
              string({
                description: 'How many IP families the service has: SingleStack, PreferDualStack or RequireDualStack.',
              }),
            ),
            ports: optional(
              list(
                object({
                  name: string({ description: 'Name of the port.' }),
                  port: int32({ description: 'Port that the service listens on.' }),
                  protocol: string({ description: 'Protocol of the port, such as TCP.' }),
                  targetPort: int32({ description: 'Port of the virtual machines that traffic is sent to.' }),
                }),
                { description: 'Ports of the service.' },
              ),
            ),
            selector: optional(
              map(string(), { description: 'Labels of the virtual machines that receive the traffic.' }),
            ),
            type: string({ description: 'Type of the service: LoadBalancer, ClusterIP or ExternalName.' }),
          },
          { preserveUnknownFields: true, description: 'Desired state of the service.' },
        ),
      ),
      status: optional(
        object(
          {
            loadBalancer: optional(
              object(
                {
                  ingress: optional(
                    list(
                      object({
                        hostname: optional(string({ description: 'DNS name of the load balancer.' })),
                        ip: optional(string({ description: 'IP address of the load balancer.' })),
                      }),
                      { description: 'Addresses that the load balancer is reached at.' },
                    ),
                  ),
                },
                { description: 'State of the load balancer.' },
              ),
            ),
          },
          { preserveUnknownFields: true, description: 'Observed state of the service.' },
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
