import { type Disposable, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  clusters,
  type Conversion,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
  type KindAdmission,
  labels,
  machines,
} from '@slipway/cluster-api';
import type { Frozen, Kind, KubeObject } from '@slipway/kube';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type ControllerSet, type ObjectKey, ownerReference, type Resource, secrets } from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '../plane/embedded-server.js';
import { untilObject, untilObjectGone } from '../plane/object-waits.js';

export const namespace = 'default';
export const keyOf = (name: string): ObjectKey => ({ namespace, name });
const dependencies = { clock: systemClock, random: systemRandom };

export interface ProviderKinds<C extends KubeObject, M extends KubeObject> {
  readonly kinds: readonly Kind[];
  readonly conversions?: readonly Conversion[];
  readonly admission: readonly KindAdmission[];
  readonly clusters: Resource<C>;
  readonly machines: Resource<M>;
}

export interface MachineOptions<M extends KubeObject> {
  readonly cluster: string;
  readonly controlPlane?: boolean;
  readonly version?: string;
  readonly data?: string;
  readonly format?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: SpecOf<M>;
}

type SpecOf<T> = T extends { spec?: infer S } ? S : never;

interface Provisioned {
  readonly status?: { readonly initialization?: { readonly provisioned?: boolean } };
}

/**
 * A management plane in memory with the controllers of an infrastructure provider and of IP address pools. The test does
 * the work of all other controllers.
 */
export class ProviderPlane<C extends KubeObject, M extends KubeObject> {
  #controllers: Disposable | undefined;
  readonly client: InProcessClient;

  protected constructor(
    readonly embedded: EmbeddedServer,
    private readonly provider: ProviderKinds<C, M>,
    private readonly scope: Scope,
  ) {
    this.client = new InProcessClient({ registry: embedded.server.registry });
  }

  /** Starts the server and installs the kinds, without controllers. */
  static async open<C extends KubeObject, M extends KubeObject>(
    provider: ProviderKinds<C, M>,
  ): Promise<{ embedded: EmbeddedServer; scope: Scope }> {
    const scope = new Scope();
    const embedded = await startEmbeddedServer();
    scope.defer(() => embedded.stop());
    const { server, store } = embedded;
    const client = new InProcessClient({ registry: server.registry });
    const kinds = {
      name: 'test',
      kinds: [...clusterApiKinds, ...provider.kinds],
      converters: createConverters(
        [...clusterApiConversions, ...(provider.conversions ?? [])],
        contractVersionsFrom((name) => findDefinition(store, name)),
      ),
      rules: bindAdmission([...clusterApiAdmission, ...provider.admission], featureGateDefaults, client),
    };
    scope.add(await installKinds(server, client, kinds, dependencies));
    return { embedded, scope };
  }

  protected async run(set: ControllerSet): Promise<void> {
    await this.stopControllers();
    const addresses = /^(ipaddressclaim|inclusterippool)$/;
    const pools = {
      name: 'pools',
      controllers: clusterApiControllers.controllers.filter(({ name }) => addresses.test(name)),
    };
    const { server } = this.embedded;
    this.#controllers = await startEmbeddedControllers({
      server,
      sets: [pools, set],
      ...dependencies,
      logger: silentLogger,
    });
  }

  async stopControllers(): Promise<void> {
    await this.#controllers?.dispose();
    this.#controllers = undefined;
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.scope.dispose();
  }

  /** Creates a Cluster and its infrastructure with the owner reference that the Cluster controller would set. */
  async createCluster(name: string, spec?: SpecOf<C>): Promise<void> {
    const { group, version, kind } = this.provider.clusters;
    const cluster = await this.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: { infrastructureRef: { apiGroup: group, kind, name } },
    });
    await this.client.create(this.provider.clusters, {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name, namespace, labels: { [labels.clusterName]: name }, ownerReferences: [ownerReference(cluster)] },
      spec: spec ?? {},
    } as KubeObject as C);
  }

  /** Waits for the infrastructure and sets the Cluster's status as the Cluster controller would. */
  async provisionCluster(name: string): Promise<Frozen<C>> {
    const isProvisioned = (one: Frozen<C>): boolean =>
      (one as Provisioned).status?.initialization?.provisioned === true;
    const ready = await this.until(this.provider.clusters, keyOf(name), isProvisioned);
    const status = { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } };
    await this.client.patch(clusters, keyOf(name), { type: 'merge', patch: { status } }, { subresource: 'status' });
    return ready;
  }

  /** Creates a Machine with its infrastructure and bootstrap data. */
  async createMachine(name: string, options: MachineOptions<M>): Promise<void> {
    const { cluster, controlPlane = false, version = 'v1.36.3', format, spec } = options;
    const { data = '#cloud-config\nruncmd: [kubeadm join]\n' } = options;
    const { group, kind, version: served } = this.provider.machines;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    await this.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-data`, namespace },
      data: { value: base64(data), ...(format !== undefined && { format: base64(format) }) },
    });
    const own = {
      ...options.labels,
      [labels.clusterName]: cluster,
      ...(controlPlane && { [labels.controlPlane]: '' }),
    };
    const machine = await this.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace, labels: own },
      spec: {
        clusterName: cluster,
        version,
        bootstrap: { dataSecretName: `${name}-data` },
        infrastructureRef: { apiGroup: group, kind, name },
      },
    });
    await this.client.create(this.provider.machines, {
      apiVersion: `${group}/${served}`,
      kind,
      metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(machine, { controller: true })] },
      spec: spec ?? {},
    } as KubeObject as M);
  }

  untilMachine(name: string, holds: (object: Frozen<M>) => boolean, deadlineMs?: number): Promise<Frozen<M>> {
    return this.until(this.provider.machines, keyOf(name), holds, deadlineMs);
  }

  /** Waits until a condition of the infrastructure machine has the reason. */
  waitForMachine(name: string, type: string, reason: string, deadlineMs?: number): Promise<Frozen<M>> {
    return this.untilMachine(name, (one) => conditionOf(one, type)?.reason === reason, deadlineMs);
  }

  until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    holds: (object: Frozen<T>) => boolean,
    deadlineMs?: number,
  ): Promise<Frozen<T>> {
    return untilObject(this.client, resource, key, holds, deadlineMs);
  }

  untilGone(resource: Resource, key: ObjectKey, deadlineMs?: number): Promise<void> {
    return untilObjectGone(this.client, resource, key, deadlineMs);
  }
}

interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

export function conditionOf(object: unknown, type: string): ReportedCondition | undefined {
  const { status } = object as { status?: { conditions?: readonly ReportedCondition[] } };
  return status?.conditions?.find((condition) => condition.type === type);
}
