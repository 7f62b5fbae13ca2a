import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterClassColumn, ownerClusterColumn } from '../shared/columns.js';
import { vsphereMachineSpec, vsphereMachineSpecV1Beta1 } from './machine-spec.js';

const description =
  'A template for VSphereMachines in a vCenter, referenced by a control plane, a MachineDeployment or a ClusterClass. Its spec.template.spec is immutable: create a new template and refer to it to roll out a change.';
const specDescription = 'The template.';
const templateDescription = 'Metadata and spec of the VSphereMachines that are created from this template.';

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
          object(
            {
              template: object(
                { metadata: optional(templateMetadataV1Beta1), spec: vsphereMachineSpecV1Beta1 },
                { description: templateDescription },
              ),
            },
            { description: specDescription },
          ),
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
          object(
            {
              template: object(
                { metadata: optional(templateMetadata), spec: optional(vsphereMachineSpec) },
                { minProperties: 1, description: templateDescription },
              ),
            },
            { description: specDescription },
          ),
        ),
      },
      columns: [clusterClassColumn, ownerClusterColumn, ageColumn],
    },
  ],
});

export type VSphereMachineTemplate = ObjectOf<typeof vsphereMachineTemplate>;
