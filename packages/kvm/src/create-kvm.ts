import { join } from 'node:path';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { ControllerSet } from '@slipway/runtime';
import { createKVMControllers } from './controllers.js';
import { GivenEndpoint, HaproxyBalancers, HaproxyEndpoint, ServiceEndpoint } from './endpoint/index.js';
import { LocalService } from './local/index.js';
import { HostingClusters, PodMachines, type PodSettings, podSettingsDefault } from './pod/index.js';

export interface KVMOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where machines of this computer keep their disks, sockets and balancers. */
  readonly directory: string;
  readonly pods?: Partial<PodSettings>;
}

export interface KVM extends Disposable {
  readonly controllers: ControllerSet;
}

/** QEMU machines with everything that runs and exposes them. */
export function createKVM({ directory, pods, ...world }: KVMOptions): KVM {
  const { clock } = world;
  const run = join(directory, 'run');
  const local = new LocalService({ stateDirectory: directory, runDirectory: run, clock });
  const hosting = new HostingClusters(world);
  const balancers = new HaproxyBalancers({ directory: join(run, 'lb'), clock });
  return {
    controllers: createKVMControllers({
      services: [local, new PodMachines(hosting, { ...podSettingsDefault, ...pods })],
      endpoints: [
        new HaproxyEndpoint(balancers),
        new ServiceEndpoint((kvmCluster, own) => hosting.clientFor(kvmCluster, own)),
        new GivenEndpoint(),
      ],
      hosting,
    }),
    async dispose() {
      local.dispose();
      await hosting.dispose();
    },
  };
}
