import { boolean, defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions, contractLabels } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn } from '../shared/columns.js';
import { text, texts } from '../shared/limits.js';
import { cloneSpec } from './clone-spec.js';

/** Of the first releases of upstream's provider, which have served it at v1alpha3 only. */
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
        'A virtual machine with HAProxy in front of the control plane of the cluster that its label cluster.x-k8s.io/cluster-name names.',
      schema: {
        spec: object({
          user: optional(
            object(
              {
                authorizedKeys: optional(texts(64, 16_384)),
                name: text(32),
              },
              { description: 'Somebody who may log in to the virtual machine.' },
            ),
          ),
          virtualMachineConfiguration: object(cloneSpec, {
            description: 'How it is cloned: from a template with HAProxy, its data plane API and cloud-init.',
          }),
        }),
        status: optional(
          object(
            {
              address: optional(text(39)),
              conditions: optional(conditions),
              ready: optional(boolean()),
            },
            { minProperties: 1 },
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
