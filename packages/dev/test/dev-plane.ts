import {
  ensureServerIdentity,
  memoryIdentityFiles,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import {
  type Clock,
  type Disposable,
  type Logger,
  Scope,
  silentLogger,
  systemClock,
  systemRandom,
} from '@slipway/base';
import { clusters, labels, machines } from '@slipway/cluster-api';
import {
  certificateOf,
  certificateSecret,
  controlPlaneCertificates,
  createKubeconfig,
  EtcdClientCredentials,
  type EtcdCredentials,
  generateCertificates,
  kubeconfigSecret,
} from '@slipway/kubeadm';
import type { Frozen, KubeObject } from '@slipway/kube';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type Client, ownerReference, type ObjectKey, type Resource, secrets } from '@slipway/runtime';
import { untilObject, untilObjectGone } from '@slipway/testing/plane';
import { createDev, type Dev, devClusters, devMachines } from '../src/index.js';
import type { DevCluster, DevMachine } from '../src/api/index.js';
import { allKinds } from './all-kinds.js';

export interface DevPlaneOptions {
  readonly clock?: Clock;
  readonly network?: 'loopback' | 'none';
  readonly logger?: Logger;
}

const namespace = 'default';

/** An in-memory management plane with the controllers of this package. The test simulates all other controllers. */
export class DevPlane {
  readonly #scope = new Scope();
  readonly keys = new KeyPool();
  #dev: Dev | undefined;
  #controllers: Disposable | undefined;

  private constructor(
    readonly clock: Clock,
    readonly network: 'loopback' | 'none',
    readonly logger: Logger,
    readonly store: ObjectStore,
    readonly server: KubernetesServer,
    readonly client: InProcessClient,
  ) {}

  static async start(options: DevPlaneOptions = {}): Promise<DevPlane> {
    const { clock = systemClock, network = 'loopback', logger = silentLogger } = options;
    const store = await openMemoryStore({ clock });
    const dependencies = { clock, random: systemRandom, keys: new KeyPool(), files: memoryIdentityFiles() };
    const identity = await ensureServerIdentity(dependencies, { keyAlgorithm: 'ECDSA' });
    const server = await KubernetesServer.start({ store, clock, random: systemRandom, logger: silentLogger, identity });
    const client = new InProcessClient({ registry: server.registry });
    const plane = new DevPlane(clock, network, logger, store, server, client);
    const kinds = allKinds((name) => findDefinition(store, name));
    plane.#scope.add(await installKinds(server, client, kinds, { clock: systemClock, random: systemRandom }));
    await plane.startControllers();
    return plane;
  }

  get dev(): Dev {
    if (this.#dev === undefined) throw new Error('the controllers do not run');
    return this.#dev;
  }

  async startControllers(): Promise<void> {
    const { clock, server, network } = this;
    this.#dev = createDev({ clock, random: systemRandom, keys: this.keys, network });
    const sets = [this.#dev.controllers];
    this.#controllers = await startEmbeddedControllers({
      server,
      sets,
      clock,
      random: systemRandom,
      logger: this.logger,
      connect: this.#dev.connect,
    });
  }

  /** Simulates a restart of the process: in-memory state is lost. */
  async stopControllers(): Promise<void> {
    await this.#controllers?.dispose();
    await this.#dev?.dispose();
    this.#controllers = undefined;
    this.#dev = undefined;
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.#scope.dispose();
    await this.server.stop();
    await this.store.close();
  }

  /** Creates a Cluster and its DevCluster, and simulates the Cluster controller and the control plane provider. */
  async createCluster(
    name: string,
    spec: DevCluster['spec'] = { backend: { inMemory: {} } },
    annotations: Record<string, string> = {},
  ): Promise<void> {
    const group = devClusters.group;
    const cluster = await this.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: { infrastructureRef: { apiGroup: group, kind: 'DevCluster', name } },
    });
    await this.client.create(devClusters, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevCluster',
      metadata: {
        name,
        namespace,
        labels: { [labels.clusterName]: name },
        annotations,
        ownerReferences: [ownerReference(cluster)],
      },
      spec,
    });
  }

  /** Waits for the DevCluster and copies its endpoint and status to the Cluster. */
  async provisionCluster(name: string): Promise<void> {
    const key = { namespace, name };
    const ready = await this.until(devClusters, key, (one) => one.status?.initialization?.provisioned === true);
    const endpoint = ready.spec?.controlPlaneEndpoint ?? {};
    await this.patch(clusters, key, { spec: { controlPlaneEndpoint: { ...endpoint } } });
    await this.patch(clusters, key, { status: { initialization: { infrastructureProvisioned: true } } }, 'status');
  }

  /** Creates the Secrets with the certificates of the cluster and its kubeconfig. Returns the kubeconfig. */
  async createSecrets(name: string): Promise<string> {
    const dependencies = { clock: this.clock, random: systemRandom, keys: this.keys };
    const cluster = await this.client.get(clusters, { namespace, name });
    const owner = ownerReference(cluster);
    const strong = controlPlaneCertificates().map((one) => ({ ...one, strength: 'ECDSA-P256' as const }));
    const set = await generateCertificates(strong, dependencies);
    for (const one of set) await this.client.create(secrets, certificateSecret(one, { namespace, name }, owner));
    const { host = '', port = 0 } = cluster.spec.controlPlaneEndpoint ?? {};
    const authority = certificateOf(set, 'ca')?.keyPair;
    if (authority === undefined) throw new Error('the cluster has no CA');
    const server = `https://${host}:${port}`;
    const options = { clusterName: name, server, authority, strength: 'ECDSA-P256' as const };
    const kubeconfig = await createKubeconfig(dependencies, options);
    await this.client.create(secrets, kubeconfigSecret({ namespace, name }, kubeconfig, owner));
    return kubeconfig;
  }

  /** Returns a client certificate that the etcd of a cluster accepts. */
  async etcdCredentials(name: string): Promise<EtcdCredentials> {
    const { data = {} } = await this.client.get(secrets, { namespace, name: `${name}-etcd` });
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
    const dependencies = { clock: systemClock, random: systemRandom, keys: this.keys };
    const pair = { certificate: text('tls.crt'), key: text('tls.key') };
    return new EtcdClientCredentials(dependencies).for(pair);
  }

  /** Creates a Machine with its DevMachine and bootstrap data. */
  async createMachine(
    name: string,
    options: {
      readonly cluster: string;
      readonly controlPlane?: boolean;
      readonly version?: string;
      readonly backend?: NonNullable<DevMachine['spec']>['backend'];
      readonly dataSecretName?: string;
      readonly failureDomain?: string;
      readonly annotations?: Record<string, string>;
    },
  ): Promise<void> {
    const { cluster, controlPlane = false, version = 'v1.34.1', backend = { inMemory: {} } } = options;
    const own = { [labels.clusterName]: cluster, ...(controlPlane ? { [labels.controlPlane]: '' } : {}) };
    const group = devMachines.group;
    const machine = await this.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace, labels: own },
      spec: {
        clusterName: cluster,
        version,
        bootstrap:
          options.dataSecretName === ''
            ? { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } }
            : { dataSecretName: options.dataSecretName ?? 'none' },
        infrastructureRef: { apiGroup: group, kind: 'DevMachine', name },
        ...(options.failureDomain === undefined ? {} : { failureDomain: options.failureDomain }),
      },
    });
    await this.client.create(devMachines, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachine',
      metadata: {
        name,
        namespace,
        labels: { ...own },
        annotations: options.annotations ?? {},
        ownerReferences: [ownerReference(machine, { controller: true })],
      },
      spec: { backend },
    });
  }

  /** Creates a cluster with one control plane machine, and waits until its API responds. */
  async startCluster(name: string): Promise<{ readonly kubeconfig: string; readonly workload: Client }> {
    await this.createCluster(name);
    await this.provisionCluster(name);
    const kubeconfig = await this.createSecrets(name);
    await this.createMachine(`${name}-cp-1`, { cluster: name, controlPlane: true });
    await this.untilReady(`${name}-cp-1`);
    const workload = this.dev.connect(kubeconfig, { namespace, name });
    if (workload === undefined) throw new Error('the cluster is not reached in process');
    return { kubeconfig, workload };
  }

  /** Returns an in-process client of a simulated cluster, which works even while its API does not respond. */
  inside(name: string): Client {
    const server = this.dev.workloads.get({ namespace, name })?.server;
    if (server === undefined) throw new Error(`cluster ${name} has not started`);
    return new InProcessClient({ registry: server.registry });
  }

  untilReady(name: string): Promise<Frozen<DevMachine>> {
    return this.until(devMachines, { namespace, name }, (one) => conditionOf(one, 'Ready')?.status === 'True');
  }

  /** Waits until the API of a cluster responds and it has the given number of machines. */
  async untilUp(name: string, machines: number, deadlineMs = 60_000): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      const workload = this.dev.workloads.get({ namespace, name });
      if (workload?.isUp === true && workload.objects?.list('nodes').length === machines) return;
      if (performance.now() > deadline) throw new Error(`${name} is not up`);
      // Poll: a simulated cluster has no events before its API responds.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  untilGone(resource: Resource, key: ObjectKey, deadlineMs?: number): Promise<void> {
    return untilObjectGone(this.client, resource, key, deadlineMs);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Record<string, unknown>,
    subresource = '',
  ): Promise<void> {
    await this.client.patch(resource, key, { type: 'merge', patch: patch as never }, { subresource });
  }

  /** Watches until a state is reached. The deadline is in real time. */
  until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    holds: (object: Frozen<T>) => boolean,
    deadlineMs?: number,
  ): Promise<Frozen<T>> {
    return untilObject(this.client, resource, key, holds, deadlineMs);
  }
}

export function conditionOf(
  object: unknown,
  type: string,
): { status: string; reason: string; message: string } | undefined {
  const { status } = object as {
    status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
  };
  return status?.conditions?.find((condition) => condition.type === type);
}
