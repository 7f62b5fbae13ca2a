import { boolean, defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions } from '@slipway/cluster-api/schemas';
import { contractLabels } from './names.js';
import { hostClusterSpec } from './specs.js';

export const hostCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'HostCluster',
  plural: 'hostclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'HostCluster is the network of a cluster whose machines run on this host.',
      schema: {
        spec: optional(hostClusterSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              initialization: optional(
                object(
                  {
                    provisioned: optional(
                      boolean({
                        description:
                          'provisioned is true once the network of the cluster exists. It never changes back to false.',
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
            { description: 'status is the observed state of the HostCluster.' },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Network', type: 'string', jsonPath: '.spec.network.cidr' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type HostCluster = ObjectOf<typeof hostCluster>;
