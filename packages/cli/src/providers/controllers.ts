import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { createDev } from '@slipway/dev';
import { createClusterDrivers } from '@slipway/drivers';
import { createHostControllers, LinuxEngine } from '@slipway/host';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createKVM } from '@slipway/kvm';
import type { KindSet } from '@slipway/plane';
import type { ClusterCacheOptions, ControllerSet } from '@slipway/runtime';
import { createOperatorControllers, type EmbeddedProviders, readMountedConfig } from '@slipway/operator';
import { createStandInSupervisor, createStandInVCenterGuests, reachStandInGuest } from '@slipway/simulators';
import { createSupervisorControllers, createVCenter, type SessionSummary } from '@slipway/vsphere';
import type { Simulated } from '../options/simulate-option.js';
import { balancerCommandLine } from './balancer-command-line.js';
import { builtinProviders } from './builtin-providers.js';
import { createKindSet, type KindSetOptions } from './kinds.js';

/** What the program brings to a server: kinds, and the controllers that act on them. */
export interface Cargo extends Partial<Disposable> {
  readonly sets: readonly ControllerSet[];
  readonly kinds?: (options: KindSetOptions) => KindSet;
  /** How workload clusters are reached, if not over HTTPS. */
  readonly connect?: ClusterCacheOptions['connect'];
  /** Those that are open at vCenters now. */
  readonly vcenterSessions?: () => readonly SessionSummary[];
}

export interface CargoWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where machines on this computer are kept. */
  readonly hostDirectory: string;
  /** Where virtual machines of this computer are kept. */
  readonly kvmDirectory: string;
  /** What is played because nobody has it on a laptop. */
  readonly simulate?: readonly Simulated[];
  /** Providers that run in the process of the server. */
  readonly embedded?: EmbeddedProviders;
}

/** Everything that this program carries: `manager` runs it on a Kubernetes, `up` in its own process. */
export function loadCargo(world: CargoWorld): Cargo {
  // Set in a pod of ours: the managers of other providers are in other pods.
  const { POD_IP: address } = process.env;
  const dev = createDev({ ...world, ...(address !== undefined && { address }) });
  const { hostDirectory: directory, clock } = world;
  const engine = new LinuxEngine({ directory, clock, balancerCommand: balancerCommandLine() });
  const { embedded, simulate = [] } = world;
  const vcenter = createVCenter(simulate.includes('vcenter') ? { reachGuest: reachStandInGuest } : {});
  const kvm = createKVM({
    ...world,
    stateDirectory: world.kvmDirectory,
    runDirectory: runDirectory(world.kvmDirectory),
  });
  const { guests } = dev;
  const simulated: Readonly<Record<Simulated, () => ControllerSet>> = {
    vcenter: () => createStandInVCenterGuests(guests),
    supervisor: () => createStandInSupervisor({ guests, offers: true }),
  };
  const operator = createOperatorControllers({
    builtin: builtinProviders,
    readConfig: readMountedConfig,
    ...(embedded && { embedded }),
  });
  const sets = [
    clusterApiControllers,
    kubeadmControllers,
    dev.controllers,
    createHostControllers(engine),
    kvm.controllers,
    vcenter.controllers,
    createSupervisorControllers(),
    createClusterDrivers(),
  ];
  return {
    sets: [...(embedded?.switched(sets) ?? sets), operator, ...simulate.map((name) => simulated[name]())],
    kinds: createKindSet,
    connect: dev.connect,
    vcenterSessions: () => vcenter.sessions(),
    async dispose() {
      await vcenter.dispose();
      await kvm.dispose();
      await dev.dispose();
    },
  };
}

/**
 * Sockets of virtual machines: their paths have to be short, whatever folder the user keeps the rest in. Planes of one host
 * have clusters of the same names, and must not meet in them.
 */
function runDirectory(stateDirectory: string): string {
  const user = process.getuid?.() ?? 0;
  const base =
    user === 0 ? '/run/slipway-kvm' : (process.env['XDG_RUNTIME_DIR'] ?? join(tmpdir(), `slipway-kvm-${user}`));
  return join(base, createHash('sha256').update(resolve(stateDirectory)).digest('hex').slice(0, 8));
}
