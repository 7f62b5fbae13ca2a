import { boolean, defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions, contractLabels } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn } from '../shared/columns.js';
import { text, texts } from '../shared/limits.js';
import { cloneSpec } from './clone-spec.js';

/** Upstream served this kind at v1alpha3 only, and removed it after the 0.7 releases. */
export const haproxyLoadBalancer = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'HAProxyLoadBalancer',
  plural: 'haproxyloadbalancers',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description:
        'A virtual machine that runs HAProxy as the load balancer of a control plane. The label cluster.x-k8s.io/cluster-name names the Cluster, and cannot be changed.',
      schema: {
        spec: object(
          {
            user: optional(
              object(
                {
                  authorizedKeys: optional(texts(64, 16_384, 'SSH public keys that the user may log in with.')),
                  name: text(32, 'Name of the user.'),
                },
                { description: 'A user of the guest who may log in with SSH. If not set, no user is created.' },
              ),
            ),
            virtualMachineConfiguration: object(cloneSpec, {
              description:
                'How the virtual machine is cloned. The template must contain HAProxy, its Data Plane API and cloud-init. server and thumbprint default to those of the VSphereCluster.',
            }),
          },
          { description: 'Desired state of the load balancer. Immutable.' },
        ),
        status: optional(
          object(
            {
              address: optional(
                text(39, 'IP address of the load balancer. It becomes the host of the control plane endpoint.'),
              ),
              conditions: optional(conditions),
              ready: optional(
                boolean({ description: 'True once the virtual machine has an address and HAProxy can be configured.' }),
              ),
            },
            { minProperties: 1, description: 'Observed state of the load balancer.' },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        clusterColumn,
        { name: 'Address', type: 'string', jsonPath: '.status.address' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        pausedColumn,
        ageColumn,
      ],
    },
  ],
});

export type HaproxyLoadBalancer = ObjectOf<typeof haproxyLoadBalancer>;
