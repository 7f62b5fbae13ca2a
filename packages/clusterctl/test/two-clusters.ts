import { ensureServerIdentity, memoryIdentityFiles, KubernetesServer, openMemoryStore } from '@slipway/apiserver';
import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import { type Frozen, isReason, type JsonObject, type KubeObject, parseApiVersion } from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds } from '@slipway/plane';
import { type Client, namespaces, ownerReference } from '@slipway/runtime';

/** Starts a management cluster without controllers, which only the test changes. */
export async function startQuietCluster(scope: Scope): Promise<Client> {
  const dependencies = { clock: systemClock, random: systemRandom, keys: new KeyPool({ size: 0 }) };
  const store = await openMemoryStore();
  scope.defer(() => store.close());
  const identity = await ensureServerIdentity(
    { ...dependencies, files: memoryIdentityFiles() },
    { keyAlgorithm: 'ECDSA' },
  );
  const server = await KubernetesServer.start({ store, ...dependencies, logger: silentLogger, identity });
  scope.defer(() => server.stop());
  const client = new InProcessClient({ registry: server.registry });
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const contractVersions = clusterApi.contractVersionsFrom((name) => findDefinition(store, name));
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, contractVersions),
    rules: clusterApi.bindAdmission([], clusterApi.featureGateDefaults),
  };
  scope.add(await installKinds(server, client, kinds, dependencies));
  for (const name of ['default', 'other']) {
    try {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
  return client;
}

const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
const bootstrap = 'bootstrap.cluster.x-k8s.io/v1beta2';
const core = 'cluster.x-k8s.io/v1beta2';
const inMemory = { backend: { inMemory: {} } };

export class Builder {
  constructor(
    readonly client: Client,
    readonly namespace = 'default',
  ) {}

  async make(
    apiVersion: string,
    kind: string,
    name: string,
    rest: Record<string, unknown> = {},
    owners: readonly Frozen<KubeObject>[] = [],
  ): Promise<Frozen<KubeObject>> {
    const { metadata = {}, status, ...content } = rest as { metadata?: object; status?: JsonObject };
    const resource = await this.client.resourceFor({ ...parseApiVersion(apiVersion), kind });
    if (resource === undefined) throw new Error(`no ${kind}`);
    const references = owners.map((owner, index) => ownerReference(owner, { controller: index === 0 }));
    const place = resource.namespaced ? { namespace: this.namespace } : {};
    const object = {
      apiVersion,
      kind,
      metadata: { name, ...place, ownerReferences: references, ...metadata },
      ...content,
    };
    const made = await this.client.create(resource, object as KubeObject);
    if (status === undefined) return made;
    const key = { namespace: this.namespace, name };
    return this.client.patch(resource, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
  }

  /** Creates a Cluster with one control plane machine, its Secrets, a MachineDeployment, a template and an add-on. */
  async cluster(name: string): Promise<void> {
    const labels = { 'cluster.x-k8s.io/cluster-name': name };
    const cluster = await this.make(core, 'Cluster', name, {
      spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name } },
      status: {
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
        conditions: [condition('ControlPlaneInitialized')],
      },
    });
    await this.make(
      infrastructure,
      'DevCluster',
      name,
      { spec: inMemory, metadata: { finalizers: ['dockercluster.infrastructure.cluster.x-k8s.io'] } },
      [cluster],
    );
    await this.make(infrastructure, 'DevMachineTemplate', name, { spec: { template: { spec: inMemory } } }, [cluster]);
    const kcp = await this.make(
      'controlplane.cluster.x-k8s.io/v1beta2',
      'KubeadmControlPlane',
      name,
      {
        spec: {
          replicas: 1,
          version: 'v1.35.0',
          machineTemplate: {
            spec: {
              infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name },
            },
          },
        },
      },
      [cluster],
    );
    const machine = await this.make(
      core,
      'Machine',
      `${name}-1`,
      {
        metadata: { labels, finalizers: ['machine.cluster.x-k8s.io'], annotations: { 'example.com/note': 'kept' } },
        spec: {
          clusterName: name,
          bootstrap: { dataSecretName: `${name}-1` },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: `${name}-1` },
        },
        status: { nodeRef: { name: `${name}-1` } },
      },
      [kcp],
    );
    await this.make(infrastructure, 'DevMachine', `${name}-1`, { spec: inMemory, metadata: { labels } }, [machine]);
    const config = await this.make(
      bootstrap,
      'KubeadmConfig',
      `${name}-1`,
      { spec: { format: 'cloud-config' }, metadata: { labels } },
      [machine],
    );
    const data = { value: Buffer.from('confidential').toString('base64') };
    await this.make('v1', 'Secret', `${name}-1`, { data, metadata: { labels } }, [config]);
    await this.make('v1', 'Secret', `${name}-kubeconfig`, { data });
    await this.make('v1', 'Secret', `${name}-ca`, { data });
  }
}

function condition(type: string): JsonObject {
  return { type, status: 'True', reason: 'Initialized', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

const writes: ReadonlySet<string | symbol> = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deleteAll']);

/** Returns a client that calls a listener before each write and waits for it. */
export function watched(client: Client, beforeWrite: () => Promise<void>): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        if (writes.has(name)) await beforeWrite();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}

/** Returns a client that fails after a number of writes, like that of a killed process. */
export function mortal(client: Client, life: { writes: number }): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (life.writes <= 0) return Promise.reject(new Error('killed'));
        if (writes.has(name)) life.writes -= 1;
        return Reflect.apply(value, target, given);
      };
    },
  });
}
