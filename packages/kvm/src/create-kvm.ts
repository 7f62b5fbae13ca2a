import { join } from 'node:path';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { ControllerContext, ControllerSet, Reader } from '@slipway/runtime';
import { createKVMControllers, type KVMControllersOptions } from './controllers.js';
import { GivenEndpoint, HaproxyBalancers, HaproxyEndpoint, ServiceEndpoint } from './endpoint/index.js';
import { LocalService } from './local/index.js';
import { HostingClusters, PodMachines, podSettingsDefault } from './pod/index.js';

export interface KVMWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where machines of this host are kept. */
  readonly stateDirectory: string;
  /** Their sockets: short, since socket paths have little room. */
  readonly runDirectory: string;
}

export interface KVM extends Disposable {
  readonly controllers: ControllerSet;
}

/** Everything that runs QEMU machines and leads to them. */
export function createKVM(world: KVMWorld): KVM {
  const local = new LocalService(world);
  const balancers = new HaproxyBalancers({ directory: join(world.runDirectory, 'haproxy'), clock: world.clock });
  const hosting = new Map<Reader, HostingClusters>();
  const hostingFor = ({ client: read }: Pick<ControllerContext, 'client'>): HostingClusters => {
    const present = hosting.get(read) ?? new HostingClusters({ ...world, read });
    hosting.set(read, present);
    return present;
  };
  const parts = (context: ControllerContext): KVMControllersOptions => {
    const clusters = hostingFor(context);
    return {
      services: [local, new PodMachines(clusters, podSettingsDefault)],
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
