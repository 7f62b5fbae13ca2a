import { type Disposable, KeyPool, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  type FeatureGates,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createDev, type Dev } from '@slipway/dev';
import type { Frozen, Kind, KubeObject } from '@slipway/kube';
import { kubeadmAdmission, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  type Client,
  type Condition,
  type Conditioned,
  type ControllerSet,
  getCondition,
  namespaces,
  type ObjectKey,
  type Resource,
} from '@slipway/runtime';
import { startEmbeddedServer } from '../../../plane/test/embedded-server.js';
import { createVSphereAdmission, vsphereConversions } from '../../src/index.js';

export const namespace = 'tenants';
const patienceMs = 60_000;

export interface PlaneOptions {
  /** Those of vSphere; Cluster API's and kubeadm's are always there. */
  readonly kinds: readonly Kind[];
  readonly featureGates?: readonly string[];
  readonly networkProvider?: string;
  readonly namespaces?: readonly string[];
}

/** An embedded management plane with kinds and no controllers yet. */
export interface Plane {
  /** Ends all that was started on it. */
  readonly scope: Scope;
  readonly client: Client;
  readonly dev: Dev;
  start(sets: readonly ControllerSet[]): Promise<Disposable>;
}

export async function openPlane(options: PlaneOptions): Promise<Plane> {
  const { featureGates = [], networkProvider = '' } = options;
  const scope = new Scope();
  const embedded = await startEmbeddedServer();
  const { server, store } = embedded;
  scope.defer(() => embedded.stop());
  const client = new InProcessClient({ registry: server.registry });
  const world = { clock: systemClock, random: systemRandom };
  const opened = Object.fromEntries(featureGates.map((gate) => [gate, true]));
  const conversions = [...clusterApiConversions, ...kubeadmConversions, ...vsphereConversions];
  const admission = [...clusterApiAdmission, ...kubeadmAdmission, ...createVSphereAdmission({ networkProvider })];
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApiKinds, ...kubeadmKinds, ...options.kinds],
    converters: createConverters(
      conversions,
      contractVersionsFrom((name) => findDefinition(store, name)),
    ),
    rules: bindAdmission(admission, { ...featureGateDefaults, ...opened } as FeatureGates, client),
  };
  scope.add(await installKinds(server, client, kinds, world));
  for (const name of [namespace, ...(options.namespaces ?? [])])
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const dev = scope.add(createDev({ ...world, keys: new KeyPool(), network: 'none' }));
  const choices = { featureGates: featureGates.map((gate) => `${gate}=true`).join(',') };
  const start = (sets: readonly ControllerSet[]): Promise<Disposable> =>
    startEmbeddedControllers({
      server,
      ...world,
      sets,
      logger: silentLogger,
      connect: dev.connect,
      // Gates are known to the sets that bring them.
      choices: sets.some((set) => set.featureGates) ? choices : {},
    });
  return { scope, client, dev, start };
}

/** What a test does with a plane: makes objects and waits until they are as they should be. */
export class PlaneWorld {
  constructor(protected readonly plane: Plane) {}

  get client(): Client {
    return this.plane.client;
  }

  get dev(): Dev {
    return this.plane.dev;
  }

  /** Runs further controllers, as long as the plane. */
  async start(sets: readonly ControllerSet[]): Promise<void> {
    this.plane.scope.add(await this.plane.start(sets));
  }

  async stop(): Promise<void> {
    await this.plane.scope.dispose();
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
      if (signal.aborted) throw new Error(`no fitting ${resource.kind}:\n${items.map(summaryOf).join('\n')}`);
    }
  }

  /** Waits until one object fits. */
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

/** What a person would ask of an object that does not come up. */
function summaryOf(object: object): string {
  const { metadata, status } = object as { metadata: { name?: string }; status?: { conditions?: Condition[] } };
  const conditions = (status?.conditions ?? []).filter((each) => each.status !== 'True');
  return `${metadata.name ?? ''}: ${conditions.map((each) => `${each.type}=${each.status} ${each.message}`).join('; ')}`;
}
