import {
  defineKind,
  enumeration,
  map,
  object,
  optional,
  type ObjectOf,
  quantity,
  refine,
  string,
} from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { kvmMachineSpec } from './machine-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

const template = object(
  {
    metadata: optional(
      refine(templateMetadata, {
        description: 'Labels and annotations of the KVMMachines that are created from this template.',
      }),
    ),
    spec: refine(kvmMachineSpec, {
      description:
        'Spec of the KVMMachines that are created from this template. Fields that identify one machine (providerID, network.macAddress, network.ipAddresses, iscsi.initiatorName) are not allowed.',
    }),
  },
  {
    description:
      'KVMMachine to create. Immutable: create another KVMMachineTemplate and refer to it to roll out a change.',
  },
);

const status = object(
  {
    capacity: optional(
      map(quantity(), {
        description:
          'CPU and memory of a machine of this template. The cluster autoscaler reads them to scale up from zero machines.',
      }),
    ),
    nodeInfo: optional(
      object(
        {
          architecture: optional(enumeration(['amd64', 'arm64'], { description: 'CPU architecture of the Node.' })),
          operatingSystem: optional(
            string({ minLength: 1, maxLength: 63, description: 'Operating system of the Node, such as linux.' }),
          ),
        },
        {
          minProperties: 1,
          description:
            'Platform of the Nodes of this template, which the cluster autoscaler reads to scale up from zero machines.',
        },
      ),
    ),
  },
  { description: 'Observed state, which the controller computes from the spec.' },
);

export const kvmMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMMachineTemplate',
  plural: 'kvmmachinetemplates',
  shortNames: ['kvmmt'],
  categories: kvmCategories,
  scope: 'Namespaced',
  labels: definitionLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'KVMMachineTemplate is the template from which KVMMachines are created.',
      schema: {
        spec: optional(object({ template }, { description: 'Desired state of the machines of this template.' })),
        status: optional(status),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type KVMMachineTemplate = ObjectOf<typeof kvmMachineTemplate>;
