import {
  ensureServerIdentity,
  KubernetesServer,
  memoryIdentityFiles,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { type Disposable, type Logger, Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
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
import { type Frozen, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import { createOperatorControllers, operatorKinds } from '@slipway/operator';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  type ControllerSet,
  ifPresent,
  keyOf,
  type ObjectKey,
  type Resource,
  type RemoteClient,
  type RemoteCluster,
  remoteCluster,
} from '@slipway/runtime';
import {
  createSimulatedDeployments,
  createSimulatedMachineApi,
  createSimulatedProvider,
  type PowerEvent,
  seedObjects,
  simulatedAssets,
  simulatedKinds,
  simulatedNetworkService,
} from '@slipway/simulators';
import {
  createApprover,
  createMachineMigration,
  createOpenShiftOperator,
  featureGates,
  openShiftKinds,
  type Platform,
} from '../src/index.js';
import type { OpenShiftOptions } from '../src/operator.js';

export interface OpenShiftPlaneOptions {
  readonly platform: Platform;
  readonly logger?: Logger;
  readonly operator?: Partial<OpenShiftOptions>;
  /** Additional controllers, such as those that create machines, unless the test simulates them. */
  readonly sets?: (plane: { readonly clusterAs: (user: User) => RemoteCluster }) => readonly ControllerSet[];
  /** Whether to omit the CRDs of the infrastructure provider. */
  readonly withoutProviderKinds?: boolean;
}

interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

export const infraName = 'demo-x7k2p';
const version = '4.20.0';
const timeoutMs = 120_000;

/** An in-memory OpenShift cluster in virtual time. */
export class OpenShiftPlane {
  readonly #scope = new Scope();
  #controllers: Disposable | undefined;
  /** Started and terminated instances. */
  readonly power: PowerEvent[] = [];

  private constructor(
    readonly clock: VirtualClock,
    readonly store: ObjectStore,
    readonly server: KubernetesServer,
    readonly client: InProcessClient,
    readonly options: OpenShiftPlaneOptions,
  ) {}

  static async start(options: OpenShiftPlaneOptions): Promise<OpenShiftPlane> {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const random = seededRandom(1);
    const store = await openMemoryStore({ clock });
    const dependencies = { clock, random, keys: new KeyPool({ size: 0 }), files: memoryIdentityFiles() };
    const identity = await ensureServerIdentity(dependencies, { keyAlgorithm: 'ECDSA' });
    const server = await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity });
    const client = new InProcessClient({ registry: server.registry });
    const plane = new OpenShiftPlane(clock, store, server, client, options);
    const provider = options.withoutProviderKinds === true ? [] : simulatedKinds(options.platform);
    const kinds = {
      name: 'test',
      kinds: [...clusterApiKinds, ...openShiftKinds, ...operatorKinds, ...provider],
      converters: createConverters(
        clusterApiConversions,
        contractVersionsFrom((name) => findDefinition(store, name)),
      ),
      rules: bindAdmission(clusterApiAdmission, featureGateDefaults),
    };
    plane.#scope.add(await installKinds(server, client, kinds, { clock, random }));
    for (const { object, status } of seedObjects({ platform: options.platform, version, infraName }))
      await plane.create(object, status);
    await plane.startControllers();
    return plane;
  }

  async startControllers(): Promise<void> {
    const { clock, server, client, options } = this;
    const clusterAs = (user: User): RemoteCluster =>
      remoteCluster(user.username, new InProcessClient({ registry: server.registry, user }));
    const operator = createOpenShiftOperator({
      version,
      assets: simulatedAssets(),
      server: 'https://127.0.0.1:6443',
      networkService: simulatedNetworkService(),
      // The user of all in-process clients.
      controllerUsers: ['system:apiserver'],
      ...options.operator,
    });
    const simulator = {
      platform: options.platform,
      clusterAs,
      onPower: (event: PowerEvent) => void this.power.push(event),
    };
    const more = options.sets?.({ clusterAs }) ?? [
      clusterApiControllers,
      createSimulatedProvider(simulator),
      createSimulatedMachineApi(simulator),
      createMachineMigration({ version }),
      createApprover({ apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }] }),
      ...providerSets(),
    ];
    // The cluster manages itself, so its kubeconfig refers to this server.
    const itself = Object.assign(Object.create(client) as RemoteClient, {
      getRaw: () => Promise.resolve('{}'),
      close: () => undefined,
    });
    this.#controllers = await startEmbeddedControllers({
      server,
      sets: [operator, ...more],
      clock,
      random: seededRandom(2),
      logger: options.logger ?? silentLogger,
      connect: () => forwarding(itself, client),
    });
  }

  async stopControllers(): Promise<void> {
    await this.#controllers?.dispose();
  }

  async create(object: KubeObject, status?: KubeObject[string]): Promise<void> {
    const resource = await this.resource(object.apiVersion, object.kind);
    await ifAbsent(this.client.create(resource, structuredClone(object)));
    if (status !== undefined)
      await this.client.patch(
        resource,
        keyOf(object),
        { type: 'merge', patch: { status: structuredClone(status) } as never },
        { subresource: 'status' },
      );
  }

  async resource(apiVersion: string, kind: string): Promise<Resource> {
    const found = await this.client.resourceFor({ ...parseApiVersion(apiVersion), kind });
    if (found === undefined) throw new Error(`the server has no resource of kind ${kind}`);
    return found;
  }

  /** Enables the feature gate, as an administrator does. */
  async setFeatureSet(featureSet: string): Promise<void> {
    await this.client.patch(
      featureGates,
      { namespace: '', name: 'cluster' },
      { type: 'merge', patch: { spec: { featureSet } } },
    );
  }

  async find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Frozen<T> | undefined> {
    return ifPresent(this.client.get(resource, key));
  }

  /** Waits in virtual time until `check` is true, and returns the object. */
  async until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T> | undefined) => boolean,
  ): Promise<Frozen<T>> {
    let last: Frozen<T> | undefined;
    for (const end = performance.now() + timeoutMs; performance.now() < end; await this.clock.advance(100)) {
      last = await this.find(resource, key);
      if (check(last)) return last as Frozen<T>;
    }
    throw new Error(`${resource.kind} ${key.name} did not get there: ${JSON.stringify(last, null, 1)}`);
  }

  settle(): Promise<void> {
    return this.clock.advance(1_000);
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.#scope.dispose();
    await this.server.stop();
    await this.store.close();
  }
}

/** Returns the provider operator, and a simulator that runs Deployments. */
export function providerSets(): readonly ControllerSet[] {
  return [
    createOperatorControllers({ builtin: [], readConfig: () => Promise.resolve('') }),
    createSimulatedDeployments(),
  ];
}

/** Binds the methods of a client, because private fields need the original `this`. */
function forwarding(itself: RemoteClient, client: InProcessClient): RemoteClient {
  return new Proxy(itself, {
    get(target, name) {
      if (name === 'getRaw' || name === 'close') return Reflect.get(target, name) as unknown;
      const value: unknown = Reflect.get(client, name, client);
      return typeof value === 'function' ? (value.bind(client) as unknown) : value;
    },
  });
}

async function ifAbsent(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
