import { KeyPool, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  type FeatureGates,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createDev, type Dev } from '@slipway/dev';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmAdmission, kubeadmControllers, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  type Client,
  type Conditioned,
  type ControllerSet,
  getCondition,
  namespaces,
  type ObjectKey,
  type Resource,
  secrets,
} from '@slipway/runtime';
import {
  createStandInVCenterGuests,
  createVCenter,
  createVSphereAdmission,
  Finder,
  type ObjectRef,
  retrieveAll,
  SessionPool,
  type VCenter,
  vcenterKinds,
  type VimSession,
  vsphereConversions,
  waitForTask,
} from '@slipway/vsphere';
import { startEmbeddedServer } from '../../packages/plane/test/embedded-server.js';
import { startVcsim, type Vcsim } from '../support/vcsim.js';

export const namespace = 'tenants';
export const templateName = 'ubuntu-2404-kube-v1.35.0';
export const pool = '/DC0/host/DC0_C0/Resources';
const password = 'v&ry<secret>';
const patienceMs = 60_000;

export interface VCenterWorldOptions {
  readonly vcsim?: readonly string[];
  readonly featureGates?: readonly string[];
  /** Cluster API and kubeadm run beside it, and machines boot. Else the test plays them. */
  readonly whole?: boolean;
}

/** A management plane with vCenter mode, and a simulated vCenter with a template. */
export class VCenterWorld {
  readonly #scope: Scope;
  #vcenter: { readonly mode: VCenter; readonly running: { dispose(): void | Promise<void> } } | undefined;
  readonly #start: (sets: readonly ControllerSet[]) => Promise<{ dispose(): void | Promise<void> }>;

  private constructor(
    readonly vcsim: Vcsim,
    /** The test's own view of vCenter. */
    readonly session: VimSession,
    readonly client: Client,
    readonly dev: Dev,
    start: (sets: readonly ControllerSet[]) => Promise<{ dispose(): void | Promise<void> }>,
    scope: Scope,
  ) {
    this.#start = start;
    this.#scope = scope;
  }

  static async start(options: VCenterWorldOptions = {}): Promise<VCenterWorld> {
    const { featureGates = [], whole = false } = options;
    const scope = new Scope();
    const args = options.vcsim ?? ['-addresses', '10.20'];
    const vcsim = await startVcsim('-username', 'admin', '-password', password, ...args);
    scope.defer(() => vcsim.stop());
    const world = { clock: systemClock, random: systemRandom };
    const pooled = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
    const session = pooled.get({ server: vcsim.server, username: 'admin', password });
    const embedded = await startEmbeddedServer();
    const { server, store } = embedded;
    scope.defer(() => embedded.stop());
    const client = new InProcessClient({ registry: server.registry });
    const features = {
      ...featureGateDefaults,
      ...Object.fromEntries(featureGates.map((gate) => [gate, true])),
    } as FeatureGates;
    const conversions = [...clusterApiConversions, ...kubeadmConversions, ...vsphereConversions];
    const kinds = {
      name: 'slipway',
      kinds: [...clusterApiKinds, ...kubeadmKinds, ...vcenterKinds],
      converters: createConverters(
        conversions,
        contractVersionsFrom((name) => findDefinition(store, name)),
      ),
      rules: bindAdmission(
        [...clusterApiAdmission, ...kubeadmAdmission, ...createVSphereAdmission()],
        features,
        client,
      ),
    };
    scope.add(await installKinds(server, client, kinds, world));
    for (const name of [namespace, 'capv-system']) {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const dev = scope.add(createDev({ ...world, keys: new KeyPool(), network: 'none' }));
    const start = (sets: readonly ControllerSet[]) =>
      startEmbeddedControllers({
        server,
        ...world,
        sets,
        logger: silentLogger,
        connect: dev.connect,
        choices: sets.some(({ featureGates: own }) => own)
          ? { featureGates: featureGates.map((gate) => `${gate}=true`).join(',') }
          : {},
      });
    if (whole) {
      const sets = [clusterApiControllers, kubeadmControllers, createStandInVCenterGuests(dev.guests)];
      for (const set of sets) scope.add(await start([set]));
    }
    const created = new VCenterWorld(vcsim, session, client, dev, start, scope);
    await created.makeTemplate();
    await created.startControllers();
    return created;
  }

  async startControllers(): Promise<void> {
    const mode = createVCenter();
    this.#vcenter = { mode, running: await this.#start([mode.controllers]) };
  }

  /** As when the process ends: what was only in memory is gone. */
  async stopControllers(): Promise<void> {
    const { mode, running } = this.#vcenter ?? {};
    this.#vcenter = undefined;
    await running?.dispose();
    await mode?.dispose();
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.#scope.dispose();
  }

  finder(datacenter = 'DC0'): Finder {
    return new Finder(this.session.soap, datacenter);
  }

  /** A machine with a snapshot that others are cloned from. */
  async makeTemplate(): Promise<void> {
    const source = await this.finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const folder = await this.finder().typedFolder('virtualMachine');
    const location = { pool: await this.finder().find('resourcePool', pool) };
    const spec = { location, template: false, powerOn: false };
    const clone = await this.session.soap.call('CloneVM_Task', source, { folder, name: templateName, spec });
    const template = (await waitForTask(this.session.updates, clone)) as ObjectRef;
    const parameters = { name: 'base', memory: false, quiesce: false };
    await waitForTask(this.session.updates, await this.session.soap.call('CreateSnapshot_Task', template, parameters));
  }

  /** The names of all virtual machines of the datacenter that we made. */
  async machineNames(): Promise<string[]> {
    const folder = await this.finder().typedFolder('virtualMachine');
    const [found] = await retrieveAll(this.session.soap, [folder], ['childEntity']);
    const named = await retrieveAll(this.session.soap, found?.values.childEntity ?? [], ['name']);
    return named
      .map(({ values }) => values.name ?? '')
      .filter((name) => !name.startsWith('DC0_') && name !== templateName)
      .sort();
  }

  async createCredentials(name: string, secret = password): Promise<void> {
    await this.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      stringData: { username: 'admin', password: secret },
    });
  }

  create(resource: Resource, object: object): Promise<Frozen<KubeObject>> {
    return this.client.create(resource, object as KubeObject);
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<Frozen<T>> {
    return this.client.get(resource, keyOfName(resource, name));
  }

  async list<T extends KubeObject>(resource: Resource<T>): Promise<readonly Frozen<T>[]> {
    return (await this.client.list(resource, resource.namespaced ? { namespace } : {})).items;
  }

  async merge(resource: Resource, name: string, patch: object, subresource?: string): Promise<void> {
    const body = { type: 'merge', patch: patch as Record<string, never> } as const;
    const options = subresource === undefined ? {} : { subresource };
    await this.client.patch(resource, keyOfName(resource, name), body, options);
  }

  /** Waits until what is there fits. */
  async until<T extends KubeObject, R>(
    resource: Resource<T>,
    find: (objects: readonly Frozen<T>[]) => R | undefined | false,
  ): Promise<R> {
    const signal = AbortSignal.timeout(patienceMs);
    const scope = resource.namespaced ? { namespace } : {};
    for (;;) {
      const { items, resourceVersion } = await this.client.list(resource, scope);
      const found = find(items);
      if (found !== undefined && found !== false) return found;
      try {
        for await (const _events of this.client.watch(resource, { ...scope, resourceVersion, signal })) break;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) throw new Error(`no fitting ${resource.kind}: ${JSON.stringify(items, undefined, 1)}`);
    }
  }

  untilOne<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    fits: (object: Frozen<T>) => boolean | undefined,
  ): Promise<Frozen<T>> {
    return this.until(resource, (found) =>
      found.find((object) => (object as Frozen<KubeObject>).metadata.name === name && fits(object) === true),
    );
  }

  untilNone(resource: Resource, name: string): Promise<true> {
    return this.until(resource, (found) => found.every(({ metadata }) => metadata.name !== name));
  }
}

function keyOfName(resource: { readonly namespaced: boolean }, name: string): ObjectKey {
  return { namespace: resource.namespaced ? namespace : '', name };
}

export function conditionOf(object: object, type: string): ReturnType<typeof getCondition> {
  return getCondition(object as Conditioned, type);
}
