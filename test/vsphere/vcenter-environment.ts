import { type Clock, type Disposable, silentLogger, systemClock } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { kubeadmControllers } from '@slipway/kubeadm';
import { secrets } from '@slipway/runtime';
import {
  createSimulatedSupervisor,
  createSimulatedVCenterGuests,
  makeSimulatedTemplate,
  reachSimulatedGuest,
  type RunHaproxy,
} from '@slipway/simulators';
import {
  createSupervisorControllers,
  createVCenter,
  Finder,
  retrieveAll,
  SessionPool,
  type VCenter,
  type VCenterOptions,
  type VimSession,
  vsphereKinds,
} from '@slipway/vsphere';
import type { ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import { openPlane, type Plane, PlaneEnvironment } from '../../packages/vsphere/test/support/plane-environment.js';
import { startVcsim, type Vcsim } from '../support/vcsim.js';

export { conditionOf, namespace } from '../../packages/vsphere/test/support/object-environment.js';
export const templateName = 'ubuntu-2404-kube-v1.35.0';
export const pool = '/DC0/host/DC0_C0/Resources';
/** Prefix from which the addresses of load balancers are derived. It differs from those of concurrent tests. */
export const addressPrefix = `10.${1 + (process.pid % 250)}`;
export const password = 'v&ry<secret>';

export interface VCenterEnvironmentOptions {
  readonly vcsim?: readonly string[];
  readonly featureGates?: readonly string[];
  /** Whether to run Cluster API and kubeadm too, and to boot machines. Otherwise the test simulates them. */
  readonly whole?: boolean;
  /** Network provider of a Supervisor to start. Absent for none. */
  readonly supervisor?: string;
  readonly mode?: VCenterOptions;
  /** Runs HAProxy for load balancer machines. Otherwise configurations are only accepted. */
  readonly haproxy?: RunHaproxy;
  /** The clock of the controllers. */
  readonly clock?: Clock;
}

/** A management plane with vCenter mode, and a simulated vCenter with a template. */
export class VCenterEnvironment extends PlaneEnvironment {
  #running: { readonly mode: VCenter; readonly controllers: Disposable } | undefined;

  private constructor(
    plane: Plane,
    readonly vcsim: Vcsim,
    /** The test's own session of vCenter. */
    readonly session: VimSession,
    private readonly mode: VCenterOptions,
  ) {
    super(plane);
  }

  static async start(options: VCenterEnvironmentOptions = {}): Promise<VCenterEnvironment> {
    const { featureGates = [], whole = false, supervisor } = options;
    const networkProvider = supervisor ?? '';
    const plane = await openPlane({
      kinds: vsphereKinds,
      featureGates,
      networkProvider,
      namespaces: ['capv-system'],
      ...(options.clock && { clock: options.clock }),
    });
    const { scope, dev } = plane;
    const args = options.vcsim ?? ['-addresses', addressPrefix];
    const vcsim = await startVcsim('-username', 'admin', '-password', password, ...args);
    scope.defer(() => vcsim.stop());
    const pooled = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
    const session = pooled.get({ server: vcsim.server, username: 'admin', password });
    const environment = new VCenterEnvironment(plane, vcsim, session, {
      reachGuest: reachSimulatedGuest,
      ...options.mode,
    });
    if (whole) for (const set of [clusterApiControllers, kubeadmControllers]) await environment.start([set]);
    if (whole || options.haproxy) await environment.start([createSimulatedVCenterGuests(dev.guests, options.haproxy)]);
    if (supervisor !== undefined) {
      await environment.start([createSimulatedSupervisor({ guests: dev.guests })]);
      await environment.start([createSupervisorControllers({ networkProvider })]);
    }
    await makeSimulatedTemplate(session, templateName);
    await environment.startControllers();
    return environment;
  }

  async startControllers(): Promise<void> {
    const mode = createVCenter(this.mode);
    this.#running = { mode, controllers: await this.plane.start([mode.controllers]) };
  }

  /** Simulates a restart of the process: in-memory state is lost. */
  async stopControllers(): Promise<void> {
    const { mode, controllers } = this.#running ?? {};
    this.#running = undefined;
    await controllers?.dispose();
    await mode?.dispose();
  }

  override async stop(): Promise<void> {
    await this.stopControllers();
    await super.stop();
  }

  /** Calls the function after changes of the controllers until it returns true, or until the time is over. */
  async sample(limitMs: number, isDone: () => Promise<boolean>): Promise<void> {
    let changes = 1;
    const subscription = this.plane.changes.subscribe(() => void (changes += 1));
    try {
      for (const end = Date.now() + limitMs; Date.now() < end; ) {
        if (changes > 0) {
          changes = 0;
          if (await isDone()) return;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      await subscription.dispose();
    }
  }

  finder(datacenter = 'DC0'): Finder {
    return new Finder(this.session.soap, datacenter);
  }

  /** Returns the names of all virtual machines that the controllers created. */
  machineNames(): Promise<string[]> {
    return madeIn(this.session);
  }
}

export async function createCredentials(
  environment: ObjectEnvironment,
  name: string,
  secret = password,
): Promise<void> {
  const { namespace } = environment;
  await environment.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: { username: 'admin', password: secret },
  });
}

/** Returns the machines in the VM folder that are neither initial machines of the simulator nor templates. */
export async function madeIn(session: VimSession): Promise<string[]> {
  const folder = await new Finder(session.soap, 'DC0').typedFolder('virtualMachine');
  const [found] = await retrieveAll(session.soap, [folder], ['childEntity']);
  const named = await retrieveAll(session.soap, found?.values.childEntity ?? [], ['name']);
  return named
    .map(({ values }) => values.name ?? '')
    .filter((name) => !name.startsWith('DC0_') && !name.startsWith('ubuntu-2404-'))
    .sort();
}
