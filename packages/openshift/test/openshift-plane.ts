import {
  ensureServerIdentity,
  KubernetesServer,
  memoryIdentityFiles,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { type Disposable, KeyPool, type Logger, Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
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
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  type ControllerSet,
  ifPresent,
  keyOf,
  type ObjectKey,
  type Resource,
  type WorkloadClient,
  type RemoteCluster,
  remoteCluster,
} from '@slipway/runtime';
import {
  createStandInDeployments,
  createStandInMachineApi,
  createStandInProvider,
  type PowerEvent,
  seedObjects,
  standInAssets,
  standInKinds,
  standInNetworkService,
} from '@slipway/simulators';
import {
  createApprover,
  createMachineMigration,
  createOpenShiftOperator,
  featureGates,
  type OpenShiftOptions,
  openShiftKinds,
  type Platform,
} from '../src/index.js';

export interface OpenShiftPlaneOptions {
  readonly platform: Platform;
  readonly logger?: Logger;
  readonly operator?: Partial<OpenShiftOptions>;
  /** Beside the operator: all of what makes machines, unless the test plays that. */
  readonly sets?: (plane: { readonly clusterAs: (user: User) => RemoteCluster }) => readonly ControllerSet[];
  /** Definitions of the platform's provider are left out, and come later or never. */
  readonly withoutProviderKinds?: boolean;
}

interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

export const infraName = 'demo-x7k2p';
const version = '4.20.0';
const patienceMs = 120_000;

/** An OpenShift cluster in memory and in virtual time. */
export class OpenShiftPlane {
  readonly #scope = new Scope();
  #controllers: Disposable | undefined;
  /** Instances that were started and ended. */
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
    const world = { clock, random, keys: new KeyPool({ size: 0 }), files: memoryIdentityFiles() };
    const identity = await ensureServerIdentity(world, { keyAlgorithm: 'ECDSA' });
    const server = await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity });
    const client = new InProcessClient({ registry: server.registry });
    const plane = new OpenShiftPlane(clock, store, server, client, options);
    const provider = options.withoutProviderKinds === true ? [] : standInKinds(options.platform);
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
      assets: standInAssets(),
      server: 'https://127.0.0.1:6443',
      networkService: standInNetworkService(),
      // In this process everybody is the server itself.
      controllerUsers: ['system:apiserver'],
      ...options.operator,
    });
    const standIn = {
      platform: options.platform,
      clusterAs,
      onPower: (event: PowerEvent) => void this.power.push(event),
    };
    const more = options.sets?.({ clusterAs }) ?? [
      clusterApiControllers,
      createStandInProvider(standIn),
      createStandInMachineApi(standIn),
      createMachineMigration({ version }),
      createApprover({ apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }] }),
      ...providerSets(),
    ];
    // The cluster manages itself: what it reaches by its kubeconfig is this very server.
    const itself = Object.assign(Object.create(client) as WorkloadClient, {
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
    if (found === undefined) throw new Error(`nothing serves ${kind}`);
    return found;
  }

  /** As an administrator opens it. */
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

  /** The object once `check` says so. Time passes meanwhile. */
  async until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T> | undefined) => boolean,
  ): Promise<Frozen<T>> {
    let last: Frozen<T> | undefined;
    for (const end = performance.now() + patienceMs; performance.now() < end; await this.clock.advance(100)) {
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

/** What installs providers from their ConfigMaps, and runs their Deployments. */
export function providerSets(): readonly ControllerSet[] {
  return [
    createOperatorControllers({ builtin: [], readConfig: () => Promise.resolve('') }),
    createStandInDeployments(),
  ];
}

/** Methods of a class with private fields need their own object. */
function forwarding(itself: WorkloadClient, client: InProcessClient): WorkloadClient {
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
