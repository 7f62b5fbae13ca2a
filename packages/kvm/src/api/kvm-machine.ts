import {
  boolean,
  dateTime,
  defineKind,
  enumeration,
  int32,
  int64,
  list,
  object,
  optional,
  type ObjectOf,
  string,
} from '@slipway/kube/kit';
import { conditions, machineAddresses } from '@slipway/cluster-api/schemas';
import { kvmMachineSpec } from './machine-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

const endpoint = object({ host: string(), port: int32() });

const vm = object({
  pid: optional(int32()),
  host: optional(string()),
  pod: optional(string()),
  qemuVersion: optional(string()),
  accelerator: optional(enumeration(['kvm', 'tcg'])),
  cpus: optional(int32()),
  memoryMiB: optional(int32()),
  startTime: optional(dateTime({ description: 'When the process that runs now was started.' })),
  boots: optional(int32({ description: 'How often the machine was switched on or reset.' })),
  consolePath: optional(string()),
  apiServer: optional(endpoint),
  portForwards: optional(
    list(object({ guestPort: int32(), host: string(), port: int32() }), { description: 'As they are now.' }),
  ),
});

export const kvmMachine = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMMachine',
  plural: 'kvmmachines',
  shortNames: ['kvmm'],
  categories: kvmCategories,
  scope: 'Namespaced',
  labels: definitionLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A QEMU machine: a process of this host, or a pod.',
      schema: {
        spec: optional(kvmMachineSpec),
        status: optional(
          object({
            initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
            ready: optional(boolean({ description: 'The same for managers of the contract v1beta1.' })),
            addresses: optional(machineAddresses),
            failureDomain: optional(string()),
            machineState: optional(enumeration(['pending', 'running', 'shutting-down', 'terminated', 'failed'])),
            vm: optional(vm),
            failureReason: optional(string()),
            failureMessage: optional(string()),
            conditions: optional(conditions),
            observedGeneration: optional(int64()),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'State', type: 'string', jsonPath: '.status.machineState' },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'IP', type: 'string', jsonPath: '.status.addresses[?(@.type=="InternalIP")].address' },
        { name: 'Accelerator', type: 'string', jsonPath: '.status.vm.accelerator', priority: 10 },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KVMMachine = ObjectOf<typeof kvmMachine>;
