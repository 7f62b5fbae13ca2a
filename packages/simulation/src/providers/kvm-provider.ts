import { createGuests } from '@slipway/dev';
import {
  createKVMControllers,
  GivenEndpoint,
  kvmAdmission,
  kvmClusters,
  kvmKinds,
  kvmMachines,
  kvmMachineTemplates,
} from '@slipway/kvm';
import { machineTemplateName } from '../objects/desired-cluster.js';
import { namespace } from '../objects/names.js';
import { SimulatedVirtualMachines } from './simulated-virtual-machines.js';
import type { Provider } from './provider.js';

const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2';
const firstPort = 31_000;

/** The KVM provider with a simulated implementation of the port that runs QEMU processes. */
export const kvmProvider: Provider = {
  kinds: kvmKinds,
  conversions: [],
  admissions: kvmAdmission,
  machines: kvmMachines,
  permanentResources: [],
  controllers: (infrastructure) => [
    createKVMControllers(() => ({
      services: [new SimulatedVirtualMachines(infrastructure, createGuests(infrastructure))],
      endpoints: [new GivenEndpoint()],
    })),
  ],
  cluster: (name) => [
    kvmClusters,
    {
      apiVersion,
      kind: 'KVMCluster',
      metadata: { name, namespace },
      spec: {
        controlPlaneExposure: { type: 'External' },
        controlPlaneEndpoint: { host: '127.0.0.1', port: firstPort + Number(name.slice(1)) },
      },
    },
  ],
  machineTemplate: (desired) => [
    kvmMachineTemplates,
    {
      apiVersion,
      kind: 'KVMMachineTemplate',
      metadata: { name: machineTemplateName(desired), namespace },
      spec: { template: { spec: { resources: { cpu: 2, memory: '2Gi' } } } },
    },
  ],
};
