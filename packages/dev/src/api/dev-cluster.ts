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

const texts = {
  kind: 'DevCluster is the infrastructure of a Cluster for development and tests.',
  status: 'status is the observed state of the DevCluster.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(devClusterSpecV1Beta1),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              failureDomains: optional(failureDomainsV1Beta1),
              ready: optional(
                boolean({ description: 'ready is true once the infrastructure of the cluster is provisioned.' }),
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
        spec: optional(devClusterSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              failureDomains: optional(failureDomains),
              initialization: optional(
                object(
                  {
                    provisioned: optional(
                      boolean({
                        description:
                          'provisioned is true once the infrastructure of the cluster is provisioned. It never changes back to false.',
                      }),
                    ),
                  },
                  {
                    minProperties: 1,
                    description: 'initialization records which steps of the first provisioning are complete.',
                  },
                ),
              ),
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
  ],
});

export type DevCluster = ObjectOf<typeof devCluster>;
