import type { ControllerDescriptor, ControllerSet, Setting } from '@slipway/runtime';
import { SettingError } from '@slipway/runtime';
import { createKVMClusterController } from './cluster/controller.js';
import type { EndpointService } from './cluster/endpoint-service.js';
import { createKVMMachineController } from './machine/controller.js';
import type { BackendName, VirtualMachineService } from './machine/vm-service.js';
import { createNodeGateController } from './node-gate/index.js';
import type { HostingClusters } from './pod/index.js';
import { createKVMMachineTemplateController } from './template/controller.js';

export interface KVMControllersOptions {
  readonly services: readonly VirtualMachineService[];
  readonly endpoints: readonly EndpointService[];
  /** Where the machines that are pods run. Absent: nobody tells them of their Nodes. */
  readonly hosting?: HostingClusters;
}

const backendSetting: Setting<BackendName> = {
  flag: 'kvm-default-backend',
  placeholder: 'name',
  description: 'who runs KVMMachines that do not say so: local, processes of this host, or pod, pods of this cluster',
  default: 'local',
  parse: (text) => {
    if (text === 'local' || text === 'pod') return text;
    throw new SettingError(`"${text}" is neither local nor pod`);
  },
};

/** QEMU machines: processes of this host, and pods. */
export function createKVMControllers(options: KVMControllersOptions): ControllerSet {
  const services = new Map(options.services.map((service) => [service.backend, service] as const));
  const { endpoints, hosting } = options;
  return {
    name: 'kvm',
    settings: [backendSetting],
    controllers: [
      {
        name: 'kvmcluster',
        concurrencyDefault: 10,
        create: ({ sources, concurrency, watchFilter, settings }) =>
          createKVMClusterController({
            services,
            endpoints,
            backendDefault: settings.get(backendSetting),
            sources,
            concurrency,
            filter: watchFilter,
          }),
      },
      {
        name: 'kvmmachine',
        concurrencyDefault: 10,
        create: ({ sources, concurrency, watchFilter, settings }) =>
          createKVMMachineController({
            services,
            backendDefault: settings.get(backendSetting),
            sources,
            concurrency,
            filter: watchFilter,
          }),
      },
      {
        name: 'kvmmachinetemplate',
        create: ({ concurrency, watchFilter }) =>
          createKVMMachineTemplateController({ concurrency, filter: watchFilter }),
      },
      ...(hosting === undefined ? [] : [nodeGate(hosting)]),
    ],
  };
}

function nodeGate(hosting: HostingClusters): ControllerDescriptor {
  return {
    name: 'kvmmachine-node-gate',
    concurrencyDefault: 10,
    create: ({ sources, workloads, concurrency, watchFilter }) =>
      createNodeGateController({ sources, workloads, hosting, concurrency, filter: watchFilter }),
  };
}
