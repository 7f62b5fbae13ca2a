import { boolean, defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { devMachineSpecV1Beta1 } from './v1beta1/specs.js';
import { devMachineSpec } from './v1beta2/specs.js';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  machineAddresses,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'DevMachine is a machine for development and tests.',
  status: 'status is the observed state of the DevMachine.',
};

export const devMachine = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachine',
  plural: 'devmachines',
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
        spec: optional(devMachineSpecV1Beta1),
        status: optional(
          object(
            {
              addresses: optional(machineAddresses),
              conditions: optional(v1beta1Conditions),
              ready: optional(boolean({ description: 'ready is true once the machine is provisioned.' })),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: texts.status },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Machine', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: optional(devMachineSpec),
        status: optional(
          object(
            {
              addresses: optional(machineAddresses),
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              failureDomain: optional(
                string({
                  minLength: 1,
                  maxLength: 256,
                  description: 'failureDomain is the failure domain in which the machine was placed.',
                }),
              ),
              initialization: optional(
                object(
                  {
                    provisioned: optional(
                      boolean({
                        description:
                          'provisioned is true once the machine is provisioned. It never changes back to false.',
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
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Failure domain', type: 'string', jsonPath: '.status.failureDomain' },
        { name: 'IP', type: 'string', jsonPath: '.status.addresses[?(@.type=="InternalIP")].address', priority: 10 },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type DevMachine = ObjectOf<typeof devMachine>;
