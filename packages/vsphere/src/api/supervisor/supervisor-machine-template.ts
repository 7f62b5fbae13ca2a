import { defineKind, enumeration, map, object, optional, quantity, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, templateMetadata } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterClassColumn, ownerClusterColumn } from '../shared/columns.js';
import { supervisorMachineSpec, supervisorMachineSpecV1Beta1 } from './machine-spec.js';

const description = 'A template for VSphereMachines in a Supervisor.';

export const supervisorMachineTemplate = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
  kind: 'VSphereMachineTemplate',
  plural: 'vspheremachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(object({ template: object({ spec: supervisorMachineSpecV1Beta1 }) })),
        status: optional(object({ capacity: optional(map(quantity())) })),
      },
      subresources: { status: true },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: optional(
          object({
            template: object(
              { metadata: optional(templateMetadata), spec: optional(supervisorMachineSpec) },
              { minProperties: 1 },
            ),
          }),
        ),
        status: optional(
          object(
            {
              capacity: optional(
                map(quantity(), { description: 'What a machine offers, for scaling up from no machine at all.' }),
              ),
              nodeInfo: optional(
                object(
                  {
                    architecture: optional(enumeration(['amd64', 'arm64', 's390x', 'ppc64le'])),
                    operatingSystem: optional(enumeration(['linux', 'windows'])),
                  },
                  { minProperties: 1 },
                ),
              ),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
      columns: [clusterClassColumn, ownerClusterColumn, ageColumn],
    },
  ],
});

export type SupervisorMachineTemplate = ObjectOf<typeof supervisorMachineTemplate>;
export type SupervisorMachineTemplateV1Beta1 = ObjectOf<typeof supervisorMachineTemplate, 'v1beta1'>;
