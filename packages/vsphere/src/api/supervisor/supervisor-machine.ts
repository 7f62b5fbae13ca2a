import {
  atomicList,
  boolean,
  defineKind,
  enumeration,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, contractLabels, v1beta1Conditions, v1beta2Conditions } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn, provisionedColumn } from '../shared/columns.js';
import { text } from '../shared/limits.js';
import { deprecatedFailureUnlimited, initialization, machineAddress } from '../shared/status-parts.js';
import { machineNetworkStatus } from './machine-network-status.js';
import { policiesUnchanged, supervisorMachineSpec, supervisorMachineSpecV1Beta1 } from './machine-spec.js';

const description = 'A machine in a Supervisor.';

export const machinePhases = ['NotFound', 'Created', 'PoweredOn', 'Pending', 'Ready', 'Deleting', 'Error'] as const;

/** `VSphereMachine` of the Supervisor's group; the vCenter's group has a kind of the same name. */
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
          object({
            addresses: optional(
              atomicList(object({ address: string(), type: string() }), { minItems: 1, maxItems: 10 }),
            ),
            conditions: optional(v1beta1Conditions),
            failureMessage: optional(string()),
            failureReason: optional(string()),
            network: optional(machineNetworkStatus),
            ready: optional(boolean()),
            v1beta2: optional(v1beta2Conditions),
            vmID: optional(string()),
            vmIp: optional(string()),
            vmstatus: optional(string()),
          }),
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
              addresses: optional(atomicList(machineAddress, { minItems: 1, maxItems: 10 })),
              biosUUID: optional(text(2048)),
              conditions: optional(conditions),
              deprecated: optional(deprecatedFailureUnlimited),
              failureDomain: optional(text(256)),
              initialization: optional(initialization),
              network: optional(machineNetworkStatus),
              phase: optional(enumeration(machinePhases)),
            },
            { minProperties: 1 },
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
export type SupervisorMachineV1Beta1 = ObjectOf<typeof supervisorMachine, 'v1beta1'>;
