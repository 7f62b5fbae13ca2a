import { boolean, defineKind, int64, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { kubeadmConfigSpecV1Beta1 } from './v1beta1/kubeadm-config-spec.js';
import { kubeadmConfigSpec } from './v1beta2/kubeadm-config-spec.js';
import { conditions, contractLabels, v1beta1Conditions, v1beta2Conditions } from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'KubeadmConfig is the bootstrap configuration of a machine. The controller generates the bootstrap data from it.',
  status: 'status is the observed state of the KubeadmConfig.',
  dataSecretName: 'dataSecretName is the name of the Secret with the bootstrap data.',
  failureMessage: 'failureMessage describes a terminal failure. Deprecated: use conditions.',
  failureReason: 'failureReason is a machine-readable reason of a terminal failure. Deprecated: use conditions.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
};

export const kubeadmConfig = defineKind({
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'KubeadmConfig',
  plural: 'kubeadmconfigs',
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
        spec: optional(kubeadmConfigSpecV1Beta1),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              dataSecretName: optional(string({ minLength: 1, maxLength: 253, description: texts.dataSecretName })),
              failureMessage: optional(string({ minLength: 1, maxLength: 10240, description: texts.failureMessage })),
              failureReason: optional(string({ minLength: 1, maxLength: 256, description: texts.failureReason })),
              observedGeneration: optional(int64({ description: texts.observedGeneration })),
              ready: optional(
                boolean({ description: 'ready is true once the Secret with the bootstrap data exists.' }),
              ),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: texts.status },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: optional(kubeadmConfigSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              dataSecretName: optional(string({ minLength: 1, maxLength: 253, description: texts.dataSecretName })),
              deprecated: optional(
                object(
                  {
                    v1beta1: optional(
                      object(
                        {
                          conditions: optional(v1beta1Conditions),
                          failureMessage: optional(
                            string({ minLength: 1, maxLength: 10240, description: texts.failureMessage }),
                          ),
                          failureReason: optional(
                            string({ minLength: 1, maxLength: 256, description: texts.failureReason }),
                          ),
                        },
                        {
                          description:
                            'v1beta1 holds the status fields of the v1beta1 API. It is removed when v1beta1 is no longer served.',
                        },
                      ),
                    ),
                  },
                  {
                    description:
                      'deprecated holds status fields of earlier API versions. It is removed together with those versions.',
                  },
                ),
              ),
              initialization: optional(
                object(
                  {
                    dataSecretCreated: optional(
                      boolean({
                        description:
                          'dataSecretCreated is true once the Secret with the bootstrap data exists. It never changes back to false.',
                      }),
                    ),
                  },
                  {
                    minProperties: 1,
                    description: 'initialization records which steps of the first provisioning are complete.',
                  },
                ),
              ),
              observedGeneration: optional(int64({ minimum: 1, description: texts.observedGeneration })),
            },
            { minProperties: 1, description: texts.status },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Data secret created', type: 'string', jsonPath: '.status.initialization.dataSecretCreated' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KubeadmConfig = ObjectOf<typeof kubeadmConfig>;
