import { boolean, defineKind, int64, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { kubeadmConfigSpecV1Beta1 } from './v1beta1/kubeadm-config-spec.js';
import { kubeadmConfigSpec } from './v1beta2/kubeadm-config-spec.js';
import { conditions, contractLabels, v1beta1Conditions, v1beta2Conditions } from '@slipway/cluster-api/schemas';

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
      description: 'How one machine is bootstrapped with kubeadm.',
      schema: {
        spec: optional(kubeadmConfigSpecV1Beta1),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            dataSecretName: optional(string({ minLength: 1, maxLength: 253 })),
            failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
            failureReason: optional(string({ minLength: 1, maxLength: 256 })),
            observedGeneration: optional(int64()),
            ready: optional(boolean()),
            v1beta2: optional(v1beta2Conditions),
          }),
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
      description: 'How one machine is bootstrapped with kubeadm.',
      schema: {
        spec: optional(kubeadmConfigSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              dataSecretName: optional(string({ minLength: 1, maxLength: 253 })),
              deprecated: optional(
                object({
                  v1beta1: optional(
                    object({
                      conditions: optional(v1beta1Conditions),
                      failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
                      failureReason: optional(string({ minLength: 1, maxLength: 256 })),
                    }),
                  ),
                }),
              ),
              initialization: optional(
                object(
                  {
                    dataSecretCreated: optional(boolean()),
                  },
                  { minProperties: 1 },
                ),
              ),
              observedGeneration: optional(int64({ minimum: 1 })),
            },
            { minProperties: 1 },
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
