import type { Disposable } from '@slipway/base';
import type { ControllerSet, ObjectKey, RemoteClient } from '@slipway/runtime';
import { createDevClusterController } from './cluster/controller.js';
import { createGuests, type Guests } from './guest/index.js';
import { createDevMachineController } from './machine/controller.js';
import { createDevMachinePoolController } from './machine-pool/controller.js';
import { createDevMachineTemplateController } from './machine-template/controller.js';
import { connectInProcess, WorkloadClusters, type WorkloadClustersOptions } from './workload/index.js';

/** The in-memory infrastructure of one process: its controllers, and the clusters that they simulate. */
export interface Dev extends Disposable {
  readonly controllers: ControllerSet;
  readonly workloads: WorkloadClusters;
  /** Simulates the software on machines of other providers whose machines are simulated too. */
  readonly guests: Guests;
  /** Connects the cluster cache to a simulated cluster in this process. Undefined if HTTPS must be used. */
  readonly connect: (kubeconfig: string, cluster: ObjectKey) => RemoteClient | undefined;
}

export function createDev(options: WorkloadClustersOptions): Dev {
  const workloads = new WorkloadClusters(options);
  return {
    controllers: devControllers(workloads),
    workloads,
    guests: createGuests(workloads),
    connect: (kubeconfig, cluster) => connectInProcess(workloads, kubeconfig, cluster),
    dispose: () => workloads.dispose(),
  };
}

/** Returns only the controllers, for simulated clusters that outlive them. */
export function devControllers(workloads: WorkloadClusters): ControllerSet {
  return {
    name: 'dev',
    controllers: [
      {
        name: 'devcluster',
        concurrencyDefault: 50,
        create: (context) => createDevClusterController(workloads, context),
      },
      {
        name: 'devmachine',
        concurrencyDefault: 50,
        create: (context) => createDevMachineController(workloads, context),
      },
      {
        name: 'devmachinetemplate',
        concurrencyDefault: 50,
        create: createDevMachineTemplateController,
      },
      {
        name: 'devmachinepool',
        concurrencyDefault: 100,
        create: createDevMachinePoolController,
      },
    ],
  };
}
