import { join } from 'node:path';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { ControllerContext, ControllerSet, Reader } from '@slipway/runtime';
import { createKVMControllers, type KVMControllersOptions } from './controllers.js';
import { GivenEndpoint, HaproxyBalancers, HaproxyEndpoint, ServiceEndpoint } from './endpoint/index.js';
import { LocalService } from './local/index.js';
import { HostingClusters, PodMachines, podSettingsDefault } from './pod/index.js';

export interface KVMDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Directory with the disks and records of the virtual machines of this host. */
  readonly stateDirectory: string;
  /** Directory of the sockets of the virtual machines. Its path must be short: socket paths are limited to 107 bytes. */
  readonly runDirectory: string;
  /** Directories whose files may be used as images, by path or `file:` URL. Default: all directories. */
  readonly imageDirectories?: readonly string[];
  /** Container image of the launcher of machines in pods. */
  readonly launcherImage: string;
}

export interface KVM extends Disposable {
  readonly controllers: ControllerSet;
}

/** Creates the backends and endpoint services of the KVM provider. */
export function createKVM(dependencies: KVMDependencies): KVM {
  const local = new LocalService(dependencies);
  const balancers = new HaproxyBalancers({
    directory: join(dependencies.runDirectory, 'haproxy'),
    clock: dependencies.clock,
  });
  const hosting = new Map<Reader, HostingClusters>();
  const hostingFor = ({ client: read }: Pick<ControllerContext, 'client'>): HostingClusters => {
    const present = hosting.get(read) ?? new HostingClusters({ ...dependencies, read });
    hosting.set(read, present);
    return present;
  };
  const parts = (context: ControllerContext): KVMControllersOptions => {
    const clusters = hostingFor(context);
    return {
      services: [
        local,
        new PodMachines(clusters, { ...podSettingsDefault, launcherImage: dependencies.launcherImage }),
      ],
      endpoints: [new GivenEndpoint(), new HaproxyEndpoint(balancers), new ServiceEndpoint(clusters)],
      hosting: clusters,
    };
  };
  return {
    controllers: createKVMControllers(parts),
    async dispose() {
      local.dispose();
      for (const clusters of hosting.values()) await clusters.dispose();
    },
  };
}
