import { type Clock, type Disposable, silentLogger, systemClock } from '@slipway/base';
import { clusterApiControllers } from '@slipway/cluster-api';
import { kubeadmControllers } from '@slipway/kubeadm';
import { secrets } from '@slipway/runtime';
import {
  createStandInSupervisor,
  createStandInVCenterGuests,
  makeStandInTemplate,
  reachStandInGuest,
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
import type { ObjectWorld } from '../../packages/vsphere/test/support/object-world.js';
import { openPlane, type Plane, PlaneWorld } from '../../packages/vsphere/test/support/plane-world.js';
import { startVcsim, type Vcsim } from '../support/vcsim.js';

export { conditionOf, namespace } from '../../packages/vsphere/test/support/object-world.js';
export const templateName = 'ubuntu-2404-kube-v1.35.0';
export const pool = '/DC0/host/DC0_C0/Resources';
/** Not those of another test that runs at the same time: load balancers listen on what is made of them. */
export const addressPrefix = `10.${1 + (process.pid % 250)}`;
export const password = 'v&ry<secret>';

export interface VCenterWorldOptions {
  readonly vcsim?: readonly string[];
  readonly featureGates?: readonly string[];
  /** Cluster API and kubeadm run beside it, and machines boot. Else the test plays them. */
  readonly whole?: boolean;
  /** A Supervisor as well, with this network provider. */
  readonly supervisor?: string;
  readonly mode?: VCenterOptions;
  /** Runs HAProxy for machines of load balancers; else its configurations are only taken. */
  readonly haproxy?: RunHaproxy;
  /** Of the controllers. */
  readonly clock?: Clock;
}

/** A management plane with vCenter mode, and a simulated vCenter with a template. */
export class VCenterWorld extends PlaneWorld {
  #running: { readonly mode: VCenter; readonly controllers: Disposable } | undefined;

  private constructor(
    plane: Plane,
    readonly vcsim: Vcsim,
    /** The test's own view of vCenter. */
    readonly session: VimSession,
    private readonly mode: VCenterOptions,
  ) {
    super(plane);
  }

  static async start(options: VCenterWorldOptions = {}): Promise<VCenterWorld> {
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
    const world = new VCenterWorld(plane, vcsim, session, { reachGuest: reachStandInGuest, ...options.mode });
    if (whole) for (const set of [clusterApiControllers, kubeadmControllers]) await world.start([set]);
    if (whole || options.haproxy) await world.start([createStandInVCenterGuests(dev.guests, options.haproxy)]);
    if (supervisor !== undefined) {
      await world.start([createStandInSupervisor({ guests: dev.guests })]);
      await world.start([createSupervisorControllers({ networkProvider })]);
    }
    await makeStandInTemplate(session, templateName);
    await world.startControllers();
    return world;
  }

  async startControllers(): Promise<void> {
    const mode = createVCenter(this.mode);
    this.#running = { mode, controllers: await this.plane.start([mode.controllers]) };
  }

  /** As when the process ends: what was only in memory is gone. */
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

  finder(datacenter = 'DC0'): Finder {
    return new Finder(this.session.soap, datacenter);
  }

  /** The names of all virtual machines of the datacenter that we made. */
  machineNames(): Promise<string[]> {
    return madeIn(this.session);
  }
}

export async function createCredentials(world: ObjectWorld, name: string, secret = password): Promise<void> {
  const { namespace } = world;
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: { username: 'admin', password: secret },
  });
}

/** What is in the folder for machines and came neither with the simulator nor as a template. */
export async function madeIn(session: VimSession): Promise<string[]> {
  const folder = await new Finder(session.soap, 'DC0').typedFolder('virtualMachine');
  const [found] = await retrieveAll(session.soap, [folder], ['childEntity']);
  const named = await retrieveAll(session.soap, found?.values.childEntity ?? [], ['name']);
  return named
    .map(({ values }) => values.name ?? '')
    .filter((name) => !name.startsWith('DC0_') && !name.startsWith('ubuntu-2404-'))
    .sort();
}
