import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { createDev } from '@slipway/dev';
import { createClusterDrivers } from '@slipway/drivers';
import { createHostControllers, LinuxEngine } from '@slipway/host';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createKVM } from '@slipway/kvm';
import type { KindSet } from '@slipway/plane';
import type { ConnectRemote, ControllerSet } from '@slipway/runtime';
import { createOperatorControllers, type EmbeddedProviders, readMountedConfig } from '@slipway/operator';
import { createSimulatedSupervisor, createSimulatedVCenterGuests, reachSimulatedGuest } from '@slipway/simulators';
import { createSupervisorControllers, createVCenter, type SessionSummary } from '@slipway/vsphere';
import type { Simulated } from '../options/simulate-option.js';
import { ownImages, relatedImages } from '../own-images.js';
import { balancerCommandLine } from './balancer-command-line.js';
import { createPluginControllers } from '../plugins/index.js';
import { availableProviders } from './builtin-providers.js';
import { createKindSet, type KindSetOptions } from './kinds.js';

/** The CRDs and controllers of this program. */
export interface ControllerBundle extends Partial<Disposable> {
  readonly sets: readonly ControllerSet[];
  readonly kinds?: (options: KindSetOptions) => KindSet;
  /** Connects to workload clusters. Defaults to HTTPS connections. */
  readonly connect?: ConnectRemote;
  /** Returns the open vCenter sessions. */
  readonly vcenterSessions?: () => readonly SessionSummary[];
}

export interface ControllerBundleOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Directory of the HostMachines of this host. */
  readonly hostDirectory: string;
  /** Directory of the virtual machines of this host. */
  readonly kvmDirectory: string;
  /** Infrastructure to simulate. */
  readonly simulate?: readonly Simulated[];
  /** Providers that run in the server process. */
  readonly embedded?: EmbeddedProviders;
}

/** Environment variable of managers in pods: the host of the endpoints of in-memory clusters. */
export const devHostVariable = 'DEV_CLUSTER_HOST';

/** Loads all built-in providers: `manager` runs them for a Kubernetes cluster, `up` in its own process. */
export function loadControllerBundle(dependencies: ControllerBundleOptions): ControllerBundle {
  const dev = createDev({ ...dependencies, ...devAddresses(process.env) });
  const { hostDirectory: directory, clock } = dependencies;
  const engine = new LinuxEngine({ directory, clock, balancerCommand: balancerCommandLine() });
  const { embedded, simulate = [] } = dependencies;
  const vcenter = createVCenter(simulate.includes('vcenter') ? { reachGuest: reachSimulatedGuest } : {});
  const kvm = createKVM({
    ...dependencies,
    stateDirectory: dependencies.kvmDirectory,
    runDirectory: runDirectory(dependencies.kvmDirectory),
    imageDirectories: imageDirectories(dependencies.kvmDirectory),
    launcherImage: process.env[relatedImages.vmm] ?? ownImages.vmm,
  });
  const { guests } = dev;
  const simulated: Readonly<Record<Simulated, () => ControllerSet>> = {
    vcenter: () => createSimulatedVCenterGuests(guests),
    supervisor: () => createSimulatedSupervisor({ guests, offers: true }),
  };
  const operator = createOperatorControllers({
    builtin: availableProviders(),
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
  const plugins = createPluginControllers(dependencies, sets);
  const all = [...sets, ...plugins.sets];
  return {
    sets: [...(embedded?.switched(all) ?? all), operator, ...simulate.map((name) => simulated[name]())],
    kinds: createKindSet,
    connect: dev.connect,
    vcenterSessions: () => vcenter.sessions(),
    async dispose() {
      await plugins.dispose();
      await vcenter.dispose();
      await kvm.dispose();
      await dev.dispose();
    },
  };
}

/**
 * Returns the directories below which local images must be. Everything else on this host is not readable through a KVMMachine.
 */
function imageDirectories(kvmDirectory: string): string[] {
  const configured = (process.env['SLIPWAY_IMAGE_DIRECTORY'] ?? '').split(delimiter).filter((path) => path !== '');
  return [join(kvmDirectory, 'images'), ...configured];
}

/**
 * Returns the directory of VM sockets. Socket paths have a length limit, so the path contains only a hash of the state
 * directory. The hash makes the path unique: management planes on one host can have clusters of the same name.
 */
function runDirectory(stateDirectory: string): string {
  const user = process.getuid?.() ?? 0;
  const base =
    user === 0 ? '/run/slipway-kvm' : (process.env['XDG_RUNTIME_DIR'] ?? join(tmpdir(), `slipway-kvm-${user}`));
  return join(base, createHash('sha256').update(resolve(stateDirectory)).digest('hex').slice(0, 8));
}

/**
 * Returns the addresses of in-memory clusters in a pod: managers of other providers, which run in other pods, connect to them by
 * the name of a Service, and `kubectl port-forward` over loopback.
 */
function devAddresses(env: NodeJS.ProcessEnv): { readonly address?: string; readonly bindAddress?: string } {
  const { [devHostVariable]: address, POD_IP: podIp = '' } = env;
  return address === undefined ? {} : { address, bindAddress: podIp.includes(':') ? '::' : '0.0.0.0' };
}
