import { boolean, defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { devClusterSpecV1Beta1 } from './v1beta1/specs.js';
import { devClusterSpec } from './v1beta2/specs.js';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  failureDomains,
  failureDomainsV1Beta1,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';

export const devCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevCluster',
  plural: 'devclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'Infrastructure of a cluster for development and tests.',
      schema: {
        spec: optional(devClusterSpecV1Beta1),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            failureDomains: optional(failureDomainsV1Beta1),
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
      description: 'Infrastructure of a cluster for development and tests.',
      schema: {
        spec: optional(devClusterSpec),
        status: optional(
          object({
            conditions: optional(conditions),
            deprecated: optional(deprecatedConditions),
            failureDomains: optional(failureDomains),
            initialization: optional(
              object(
                {
                  provisioned: optional(boolean()),
                },
                { minProperties: 1 },
              ),
            ),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type DevCluster = ObjectOf<typeof devCluster>;
export type DevClusterV1Beta1 = ObjectOf<typeof devCluster, 'v1beta1'>;
