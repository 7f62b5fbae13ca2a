import { workloadClusters } from '@slipway/cluster-api';
import {
  addSampledMetric,
  type ControllerContext,
  type ControllerSet,
  type Setting,
  SettingError,
} from '@slipway/runtime';
import { createKVMClusterController } from './cluster/controller.js';
import type { EndpointService } from './cluster/endpoint-service.js';
import { kvmMachines } from './api/index.js';
import { createKVMMachineController } from './machine/controller.js';
import type { BackendName, Backends, VirtualMachineService } from './machine/vm-service.js';
import { machineMetrics } from './metrics/machine-metrics.js';
import { createNodeGateController } from './node-gate/controller.js';
import { HostingClusters } from './pod/index.js';
import { createKVMMachineTemplateController } from './template/controller.js';

export interface KVMControllersOptions {
  readonly services: readonly VirtualMachineService[];
  readonly endpoints: readonly EndpointService[];
  /** Clusters that run the pods. Absent without the pod backend. */
  readonly hosting?: HostingClusters;
}

const backendSetting: Setting<BackendName> = {
  flag: 'kvm-default-backend',
  placeholder: 'name',
  description: 'Default backend of KVMMachines: local (QEMU processes on this host) or pod (pods in this cluster)',
  default: 'local',
  parse: (text) => {
    if (text === 'local' || text === 'pod') return text;
    throw new SettingError(`invalid backend "${text}": must be local or pod`);
  },
};

/** Creates the controllers of KVMClusters and KVMMachines: QEMU virtual machines as processes of this host or as pods. */
export function createKVMControllers(parts: (context: ControllerContext) => KVMControllersOptions): ControllerSet {
  return {
    name: 'kvm',
    settings: [backendSetting],
    controllers: [
      {
        name: 'kvmcluster',
        concurrencyDefault: 10,
        create: (context) => {
          const { services, endpoints } = parts(context);
          return createKVMClusterController({ ...backendsOf(services, context), endpoints }, context);
        },
      },
      {
        name: 'kvmmachine',
        concurrencyDefault: 10,
        create: (context) => {
          const { services } = parts(context);
          measure(services, context);
          return createKVMMachineController(backendsOf(services, context), context);
        },
      },
      { name: 'kvmmachinetemplate', create: createKVMMachineTemplateController },
      {
        name: 'kvmmachine-node-gate',
        create: (context) => {
          const { sources, concurrency, watchFilter: filter, clock, random, client: read } = context;
          const workloads = workloadClusters(context);
          const hosting = parts(context).hosting ?? new HostingClusters({ read, clock, random });
          return createNodeGateController({ sources, workloads, hosting, concurrency, filter });
        },
      },
    ],
  };
}

function measure(services: readonly VirtualMachineService[], { metrics, sources }: ControllerContext): void {
  const hostName = services.find((service) => service.hostName !== undefined)?.hostName;
  const machines = () => [...sources.sourceFor(kvmMachines).list()];
  const sampled = [...machineMetrics(machines, hostName), ...services.flatMap((service) => service.metrics?.() ?? [])];
  for (const metric of sampled) addSampledMetric(metrics, metric);
  for (const service of services) service.measure?.(metrics);
}

function backendsOf(services: readonly VirtualMachineService[], { settings }: ControllerContext): Backends {
  return {
    services: new Map(services.map((service) => [service.backend, service] as const)),
    backendDefault: settings.get(backendSetting),
  };
}
