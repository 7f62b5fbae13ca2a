import { atomicList, defineKind, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedFailure,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn, provisionedColumn } from '../shared/columns.js';
import {
  failureMessageDescription,
  failureReasonDescription,
  initialization,
  machineAddress,
  machineAddressesV1Beta1,
  readyV1Beta1,
} from '../shared/status-parts.js';
import { vsphereMachineSpec, vsphereMachineSpecV1Beta1 } from './machine-spec.js';
import { networkStatus, networkStatusV1Beta1 } from './network.js';

const description = 'The infrastructure of a Machine in a vCenter. The controller creates a VSphereVM for it.';
const statusDescription = 'Observed state of the machine.';
const addressesDescription =
  'Addresses of the machine: the IP addresses of the virtual machine as ExternalIP, and its name as InternalDNS.';

export const vsphereMachine = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereMachine',
  plural: 'vspheremachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(vsphereMachineSpecV1Beta1),
        status: optional(
          object(
            {
              addresses: optional(refine(machineAddressesV1Beta1, { description: addressesDescription })),
              conditions: optional(v1beta1Conditions),
              failureMessage: optional(string({ description: failureMessageDescription })),
              failureReason: optional(string({ description: failureReasonDescription })),
              network: optional(networkStatusV1Beta1),
              ready: optional(readyV1Beta1),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        {
          name: 'Machine',
          type: 'string',
          jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name',
          priority: 1,
        },
        ageColumn,
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: vsphereMachineSpec,
        status: optional(
          object(
            {
              addresses: optional(atomicList(machineAddress, { maxItems: 128, description: addressesDescription })),
              conditions: optional(
                refine(conditions, {
                  description: 'Current state of the machine. Types: Ready, VirtualMachineProvisioned and Paused.',
                }),
              ),
              deprecated: optional(deprecatedFailure),
              initialization: optional(initialization),
              network: optional(networkStatus),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        clusterColumn,
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Template', type: 'string', jsonPath: '.spec.template', priority: 10 },
        pausedColumn,
        provisionedColumn,
        ageColumn,
      ],
    },
  ],
});

export type VSphereMachine = ObjectOf<typeof vsphereMachine>;
