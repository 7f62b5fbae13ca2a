import {
  dateTime,
  defineKind,
  enumeration,
  int32,
  list,
  object,
  optional,
  type ObjectOf,
  refine,
  string,
} from '@slipway/kube/kit';
import { conditions, machineAddresses } from '@slipway/cluster-api/schemas';
import { kvmMachineSpec } from './machine-spec.js';
import { definitionLabels, kvmCategories } from './names.js';
import { initialization, observedGeneration, ready } from './shared.js';

const apiServer = object(
  {
    host: string({ description: 'Host name or IP address.' }),
    port: int32({ description: 'TCP port.' }),
  },
  {
    description:
      'Address at which the manager and the load balancer reach the API server of this machine. Only set for control plane machines.',
  },
);

const portForward = object({
  guestPort: int32({ description: 'TCP port of the guest.' }),
  host: string({ description: 'IP address of the host that the port is bound to.' }),
  port: int32({ description: 'TCP port of the host.' }),
});

const vm = object(
  {
    pid: optional(int32({ description: 'Process ID of QEMU on the host. Only set with backend local.' })),
    host: optional(string({ description: 'Host name of the host, or name of the Kubernetes node, that runs QEMU.' })),
    pod: optional(string({ description: 'Name of the pod that runs QEMU. Only set with backend pod.' })),
    qemuVersion: optional(string({ description: 'Version of QEMU, as QEMU reports it.' })),
    accelerator: optional(
      enumeration(['kvm', 'tcg'], {
        description: 'Accelerator that the virtual machine runs with: kvm for hardware, tcg for software emulation.',
      }),
    ),
    cpus: optional(int32({ description: 'Number of virtual CPUs.' })),
    memoryMiB: optional(int32({ description: 'Memory of the guest, in MiB.' })),
    startTime: optional(dateTime({ description: 'Time at which the current QEMU process was started.' })),
    boots: optional(int32({ description: 'Number of times that the virtual machine was powered on or reset.' })),
    consolePath: optional(
      string({ description: 'Path of the file on the host with the output of the serial console.' }),
    ),
    apiServer: optional(apiServer),
    portForwards: optional(
      list(portForward, { description: 'Port forwards in effect, including those that the controller added.' }),
    ),
  },
  {
    description:
      'Observed state of the virtual machine. The controller rebuilds it when the object is moved to another management cluster.',
  },
);

const status = object(
  {
    initialization,
    ready,
    addresses: optional(
      refine(machineAddresses, { description: 'Addresses of the machine. Cluster API copies them to the Machine.' }),
    ),
    failureDomain: optional(string({ description: 'Failure domain that the machine is placed in.' })),
    machineState: optional(
      enumeration(['pending', 'running', 'shutting-down', 'terminated', 'failed'], {
        description:
          'State of the virtual machine: pending before the first start, then running, shutting-down while it stops, terminated, or failed.',
      }),
    ),
    vm: optional(vm),
    failureReason: optional(
      string({
        description: 'Terminal failure reason of the v1beta1 contract. Slipway never sets it; read conditions instead.',
      }),
    ),
    failureMessage: optional(
      string({
        description:
          'Terminal failure message of the v1beta1 contract. Slipway never sets it; read conditions instead.',
      }),
    ),
    conditions: optional(
      refine(conditions, {
        description:
          'Conditions of the machine. Types are Ready, BootstrapDataAvailable, ImageReady, DisksReady, VMProvisioned, VMRunning, BootstrapSucceeded, NodeHealthy, LoadBalancerAttached, Paused and Deleting.',
      }),
    ),
    observedGeneration,
  },
  { description: 'Observed state of the machine.' },
);

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
      description: 'KVMMachine is a QEMU virtual machine that runs as a process of the host or in a pod.',
      schema: {
        spec: optional(kvmMachineSpec),
        status: optional(status),
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
