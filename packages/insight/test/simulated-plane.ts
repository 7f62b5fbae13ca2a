import {
  ensureServerIdentity,
  KubernetesServer,
  memoryIdentityFiles,
  type ObjectStore,
  openMemoryStore,
  type Registry,
} from '@slipway/apiserver';
import { Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createDev, type Dev, devAdmission, devConversions, devKinds } from '@slipway/dev';
import type { Kind, KubeObject } from '@slipway/kube';
import { kubeadmAdmission, kubeadmControllers, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
import { generatePrivateKey, type KeySource } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { ChangeFeed, type Client, type ControllerSet, namespaces, type ObjectKey } from '@slipway/runtime';
import { findObject, type ObjectRef, type Observed } from '../src/index.js';

/** An in-memory management plane in virtual time, with all controllers and simulated machines. */
export interface SimulatedPlane {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly dev: Dev;
  /** The change records of all controllers. */
  readonly feed: ChangeFeed;
  readonly store: ObjectStore;
  readonly registry: KubernetesServer['registry'];
  /** The number of writes by controllers that the API server executed, by resource. */
  readonly served: ReadonlyMap<string, number>;
  create(...objects: readonly object[]): Promise<void>;
  get(ref: ObjectRef): Promise<Observed>;
  /** Applies a merge patch. */
  merge(ref: ObjectRef, patch: object, subresource?: string): Promise<void>;
  remove(ref: ObjectRef): Promise<void>;
  /** Advances virtual time. */
  advance(ms: number): Promise<void>;
  /** Advances time until the condition holds, and a little longer, so that controllers can react. */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void>;
  /** Returns a client of the workload cluster. */
  workloadClient(key: ObjectKey): Client;
  stop(): Promise<void>;
}

const stepMs = 50;
const stepsMax = 24_000;

/** Another infrastructure provider that uses the same simulated machines. */
export interface SimulatedPlaneProvider {
  readonly kinds: readonly Kind[];
  readonly conversions: typeof devConversions;
  readonly admissions: typeof devAdmission;
  readonly sets: (dev: Dev) => readonly ControllerSet[];
}

export interface SimulatedPlaneOptions {
  readonly provider?: SimulatedPlaneProvider;
  /** Modifies the controllers before they start. */
  readonly wrap?: (sets: readonly ControllerSet[]) => readonly ControllerSet[];
}

export async function startSimulatedPlane(
  gates: readonly string[] = [],
  { provider, wrap = (sets) => sets }: SimulatedPlaneOptions = {},
): Promise<SimulatedPlane> {
  const scope = new Scope();
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const keys = await oneKey();
  const store = await openMemoryStore({ clock });
  scope.defer(() => store.close());
  const identity = await ensureServerIdentity(
    { clock, random, keys, files: memoryIdentityFiles() },
    { keyAlgorithm: 'ECDSA' },
  );
  const server = await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity });
  scope.defer(() => server.stop());
  const client = new InProcessClient({ registry: server.registry });
  const open = ['ClusterTopology', ...gates];
  const features = { ...featureGateDefaults, ...Object.fromEntries(open.map((gate) => [gate, true])) };
  const conversions = [
    ...clusterApiConversions,
    ...kubeadmConversions,
    ...devConversions,
    ...(provider?.conversions ?? []),
  ];
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApiKinds, ...kubeadmKinds, ...devKinds, ...(provider?.kinds ?? [])],
    converters: createConverters(
      conversions,
      contractVersionsFrom((name) => findDefinition(store, name)),
    ),
    rules: bindAdmission(
      [...clusterApiAdmission, ...kubeadmAdmission, ...devAdmission, ...(provider?.admissions ?? [])],
      features,
      client,
    ),
  };
  scope.add(await installKinds(server, client, kinds, { clock, random }));
  const dev = createDev({ clock, random, keys, network: 'none' });
  scope.add(dev);
  const sets = wrap([clusterApiControllers, kubeadmControllers, dev.controllers, ...(provider?.sets(dev) ?? [])]);
  const choices = { featureGates: open.map((gate) => `${gate}=true`).join(',') };
  const { connect } = dev;
  const feed = new ChangeFeed({ recentMax: 0 });
  const served = new Map<string, number>();
  scope.add(
    await startEmbeddedControllers({
      server: {
        registry: countingRegistry(server.registry, served),
        admission: server.admission,
        registerConverter: (...given) => server.registerConverter(...given),
        addMetrics: (registry) => server.addMetrics(registry),
      },
      sets,
      choices,
      clock,
      random,
      keys,
      logger: silentLogger,
      connect,
      changes: feed,
    }),
  );
  return { ...worldOf(client, clock, dev, scope), feed, served, store, registry: server.registry };
}

const writeMethods = new Set(['create', 'update', 'patch', 'delete', 'deleteCollection', 'act']);

/** Wraps the registry of the controllers and counts successful writes. Dry runs are not counted. */
function countingRegistry<R extends Registry>(registry: R, served: Map<string, number>): R {
  return new Proxy(registry, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'endpoint') return value.bind(target) as unknown;
      return (group: string, version: string, plural: string) => {
        const endpoint = target.endpoint(group, version, plural);
        return endpoint && counting(endpoint, () => served.set(plural, (served.get(plural) ?? 0) + 1));
      };
    },
  });
}

function counting<T extends object>(endpoint: T, count: () => void): T {
  return new Proxy(endpoint, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !writeMethods.has(String(name))) return value;
      return async (...given: unknown[]): Promise<unknown> => {
        const result: unknown = await Reflect.apply(value, target, given);
        const isDryRun = given.some((each) => (each as { dryRun?: unknown } | undefined)?.dryRun === true);
        if (!isDryRun) count();
        return result;
      };
    },
  });
}

function worldOf(
  client: Client,
  clock: VirtualClock,
  dev: Dev,
  scope: Scope,
): Omit<SimulatedPlane, 'feed' | 'served' | 'store' | 'registry'> {
  const resourceOf = async ({
    group,
    kind,
  }: Pick<ObjectRef, 'group' | 'kind'>): Promise<NonNullable<Awaited<ReturnType<Client['resourceFor']>>>> => {
    const resource = await client.resourceFor({ group, kind });
    if (resource === undefined) throw new Error(`the server has no resource of kind ${kind}`);
    return resource;
  };
  const keyOf = ({ namespace, name }: ObjectRef): ObjectKey => ({ namespace, name });
  return {
    client,
    clock,
    dev,
    async create(...objects) {
      for (const object of objects as readonly KubeObject[]) {
        const { namespace = '' } = object.metadata;
        if (namespace !== '') await ensureNamespace(client, namespace);
        const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
        await client.create(await resourceOf({ group, kind: object.kind }), structuredClone(object));
      }
    },
    async get(ref) {
      const found = await findObject(client, ref);
      if (found === undefined) throw new Error(`there is no ${ref.kind} ${ref.name}`);
      return found;
    },
    async merge(ref, patch, subresource) {
      const body = { type: 'merge', patch: patch as never } as const;
      await client.patch(await resourceOf(ref), keyOf(ref), body, subresource === undefined ? {} : { subresource });
    },
    async remove(ref) {
      await client.delete(await resourceOf(ref), keyOf(ref));
    },
    advance: (ms) => advanceInSteps(clock, ms),
    async until(what, holds) {
      for (let step = 0; step < stepsMax; step += 1) {
        if (await holds()) return advanceInSteps(clock, 2_000);
        await clock.advance(stepMs);
      }
      throw new Error(`not within ${(stepMs * stepsMax) / 1_000} s: ${what}`);
    },
    workloadClient(key) {
      const found = dev.workloads.get(key)?.server;
      if (found === undefined) throw new Error(`the cluster ${key.name} has not started`);
      return new InProcessClient({ registry: found.registry });
    },
    stop: () => scope.dispose(),
  };
}

/** Advances in small steps: signatures are computed in other threads, for which virtual time does not wait. */
async function advanceInSteps(clock: VirtualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) await clock.advance(Math.min(stepMs, ms - passed));
}

/** Returns one key for all requests: generating keys takes real time, for which virtual time does not wait. */
async function oneKey(): Promise<KeySource> {
  const key = await generatePrivateKey('ECDSA');
  return { next: () => Promise.resolve(key) };
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  const { items } = await client.list(namespaces);
  if (items.some(({ metadata }) => metadata.name === name)) return;
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
