import {
  atomicList,
  defineKind,
  enumeration,
  object,
  optional,
  refine,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, contractLabels, v1beta1Conditions, v1beta2Conditions } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn, provisionedColumn } from '../shared/columns.js';
import { text } from '../shared/limits.js';
import {
  deprecatedFailureUnlimited,
  failureMessageDescription,
  failureReasonDescription,
  initialization,
  machineAddress,
  machineAddressDescriptions,
  readyV1Beta1,
} from '../shared/status-parts.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import { machineNetworkStatus } from './machine-network-status.js';
import { policiesUnchanged, supervisorMachineSpec, supervisorMachineSpecV1Beta1 } from './machine-spec.js';

const description =
  'The infrastructure of a Machine in a Supervisor. The controller creates a VirtualMachine of VM Operator for it.';
const statusDescription = 'Observed state of the machine.';
const addressesDescription = 'Addresses of the machine: the primary IP address of its VirtualMachine as InternalIP.';
const biosUuidDescription = 'BIOS UUID of the virtual machine.';
const phaseDescription =
  'Progress of the VirtualMachine: Pending, Created, PoweredOn, Ready, Deleting, NotFound or Error. For display only; use the conditions in programs.';

export const machinePhases = ['NotFound', 'Created', 'PoweredOn', 'Pending', 'Ready', 'Deleting', 'Error'] as const;

/** `VSphereMachine` of the Supervisor API group. The vCenter API group has a kind of the same name. */
export const supervisorMachine = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
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
      rules: [policiesUnchanged],
      schema: {
        spec: optional(supervisorMachineSpecV1Beta1),
        status: optional(
          object(
            {
              addresses: optional(
                atomicList(
                  object(withDescriptions({ address: string(), type: string() }, machineAddressDescriptions)),
                  {
                    minItems: 1,
                    maxItems: 10,
                    description: addressesDescription,
                  },
                ),
              ),
              conditions: optional(v1beta1Conditions),
              failureMessage: optional(string({ description: failureMessageDescription })),
              failureReason: optional(string({ description: failureReasonDescription })),
              network: optional(machineNetworkStatus),
              ready: optional(readyV1Beta1),
              v1beta2: optional(v1beta2Conditions),
              vmID: optional(string({ description: biosUuidDescription })),
              vmIp: optional(string({ description: 'First address of the machine.' })),
              vmstatus: optional(string({ description: `${phaseDescription} In lower case.` })),
            },
            { description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Zone', type: 'string', jsonPath: '.spec.failureDomain' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'IPAddr', type: 'string', jsonPath: '.status.vmIp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      rules: [policiesUnchanged],
      schema: {
        spec: supervisorMachineSpec,
        status: optional(
          object(
            {
              addresses: optional(
                atomicList(machineAddress, { minItems: 1, maxItems: 10, description: addressesDescription }),
              ),
              biosUUID: optional(text(2048, biosUuidDescription)),
              conditions: optional(
                refine(conditions, {
                  description: 'Current state of the machine. Types: Ready, VirtualMachineProvisioned and Paused.',
                }),
              ),
              deprecated: optional(deprecatedFailureUnlimited),
              failureDomain: optional(text(256, 'Zone that the virtual machine was placed in.')),
              initialization: optional(initialization),
              network: optional(machineNetworkStatus),
              phase: optional(enumeration(machinePhases, { description: phaseDescription })),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        clusterColumn,
        { name: 'Class', type: 'string', jsonPath: '.spec.className' },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Failure domain', type: 'string', jsonPath: '.status.failureDomain' },
        { name: 'IP', type: 'string', jsonPath: '.status.addresses[?(@.type=="InternalIP")].address', priority: 10 },
        { name: 'Image', type: 'string', jsonPath: '.spec.imageName', priority: 10 },
        pausedColumn,
        provisionedColumn,
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        ageColumn,
      ],
    },
  ],
});

export type SupervisorMachine = ObjectOf<typeof supervisorMachine>;
