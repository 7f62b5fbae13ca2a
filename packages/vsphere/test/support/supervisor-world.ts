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
import type { Frozen, Kind, KubeObject } from '@slipway/kube';
import { kubeadmAdmission, kubeadmControllers, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
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
import {
  createStandInSupervisor,
  createSupervisorControllers,
  createVSphereAdmission,
  type SupervisorOptions,
  supervisorKinds,
  vcenterKinds,
  type VmOperatorVersion,
  vsphereConversions,
} from '../../src/index.js';

export const namespace = 'tenants';
const patienceMs = 50_000;

export interface SupervisorWorldOptions {
  readonly networkProvider?: string;
  readonly vmOperatorVersion?: VmOperatorVersion;
  readonly featureGates?: readonly string[];
  /** Absent: both groups. */
  readonly kinds?: readonly Kind[];
  /** Without: VM Operator's kinds are not there. */
  readonly supervisor?: 'stand-in' | 'none';
  readonly powerOnMs?: number;
}

/** A management plane with Cluster API, kubeadm and Supervisor mode, on a Supervisor that is played. */
export class SupervisorWorld {
  readonly #scope = new Scope();

  private constructor(
    readonly client: Client,
    readonly dev: Dev,
    readonly start: (sets: readonly ControllerSet[]) => Promise<void>,
    scope: Scope,
  ) {
    this.#scope.add(scope);
  }

  static async start(options: SupervisorWorldOptions = {}): Promise<SupervisorWorld> {
    const { networkProvider = '', vmOperatorVersion = 'v1alpha5', featureGates = [], powerOnMs = 0 } = options;
    const scope = new Scope();
    const embedded = await startEmbeddedServer();
    const { server, store } = embedded;
    scope.defer(() => embedded.stop());
    const client = new InProcessClient({ registry: server.registry });
    const world = { clock: systemClock, random: systemRandom };
    const features = {
      ...featureGateDefaults,
      ...Object.fromEntries(featureGates.map((gate) => [gate, true])),
    } as FeatureGates;
    const vsphereKinds = options.kinds ?? [...vcenterKinds, ...supervisorKinds];
    const conversions = [...clusterApiConversions, ...kubeadmConversions, ...vsphereConversions];
    const admission = [...clusterApiAdmission, ...kubeadmAdmission, ...createVSphereAdmission({ networkProvider })];
    const kinds = {
      name: 'slipway',
      kinds: [...clusterApiKinds, ...kubeadmKinds, ...vsphereKinds],
      converters: createConverters(
        conversions,
        contractVersionsFrom((name) => findDefinition(store, name)),
      ),
      rules: bindAdmission(admission, features, client),
    };
    scope.add(await installKinds(server, client, kinds, world));
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const dev = createDev({ ...world, keys: new KeyPool(), network: 'none' });
    scope.add(dev);
    const start = async (sets: readonly ControllerSet[]): Promise<void> => {
      const choices = { featureGates: featureGates.map((gate) => `${gate}=true`).join(',') };
      const common = { server, ...world, logger: silentLogger, connect: dev.connect };
      scope.add(
        await startEmbeddedControllers({
          ...common,
          sets,
          choices: sets.some(({ featureGates: own }) => own) ? choices : {},
        }),
      );
    };
    const mode: SupervisorOptions = { networkProvider, vmOperatorVersion };
    const standIn = createStandInSupervisor({ guests: dev.guests, powerOnMs });
    if (options.supervisor !== 'none') await start([standIn]);
    await start([clusterApiControllers, kubeadmControllers, createSupervisorControllers(mode)]);
    return new SupervisorWorld(client, dev, start, scope);
  }

  async stop(): Promise<void> {
    await this.#scope.dispose();
  }

  create(resource: Resource, object: object): Promise<Frozen<KubeObject>> {
    return this.client.create(resource, object as KubeObject);
  }

  async list<T extends KubeObject>(resource: Resource<T>): Promise<readonly Frozen<T>[]> {
    return (await this.client.list(resource, resource.namespaced ? { namespace } : {})).items;
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<Frozen<T>> {
    return this.client.get(resource, keyOfName(resource, name));
  }

  async merge(resource: Resource, name: string, patch: object, subresource?: string): Promise<void> {
    const body = { type: 'merge', patch: patch as Record<string, never> } as const;
    await this.client.patch(
      resource,
      keyOfName(resource, name),
      body,
      subresource === undefined ? {} : { subresource },
    );
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
