import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterClassColumn, ownerClusterColumn } from '../shared/columns.js';
import { vsphereMachineSpec, vsphereMachineSpecV1Beta1 } from './machine-spec.js';

const description = 'A template for VSphereMachines in a vCenter.';

export const vsphereMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
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
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadataV1Beta1),
              spec: vsphereMachineSpecV1Beta1,
            }),
          }),
        ),
      },
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
              { metadata: optional(templateMetadata), spec: optional(vsphereMachineSpec) },
              { minProperties: 1 },
            ),
          }),
        ),
      },
      columns: [clusterClassColumn, ownerClusterColumn, ageColumn],
    },
  ],
});

export type VSphereMachineTemplate = ObjectOf<typeof vsphereMachineTemplate>;
export type VSphereMachineTemplateV1Beta1 = ObjectOf<typeof vsphereMachineTemplate, 'v1beta1'>;
