import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { kubeadmConfigSpecV1Beta1 } from './v1beta1/kubeadm-config-spec.js';
import { kubeadmConfigSpec } from './v1beta2/kubeadm-config-spec.js';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'KubeadmConfigTemplate is the template from which KubeadmConfigs are created.',
  spec: 'spec is the desired state of the template.',
  template: 'template is the metadata and the spec of the objects created from this template.',
};

export const kubeadmConfigTemplate = defineKind({
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'KubeadmConfigTemplate',
  plural: 'kubeadmconfigtemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadataV1Beta1),
                  spec: optional(kubeadmConfigSpecV1Beta1),
                },
                { description: texts.template },
              ),
            },
            { description: texts.spec },
          ),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: optional(kubeadmConfigSpec),
                },
                { minProperties: 1, description: texts.template },
              ),
            },
            { description: texts.spec },
          ),
        ),
      },
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Cluster")].name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KubeadmConfigTemplate = ObjectOf<typeof kubeadmConfigTemplate>;
