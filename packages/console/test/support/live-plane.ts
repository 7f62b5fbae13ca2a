import {
  ensureServerIdentity,
  type IdentityFiles,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
  type ServerIdentity,
} from '@slipway/apiserver';
import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import type { KubeObject } from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import { certificateToPem, generatePrivateKey, type KeySource, privateKeyToPem } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type Client, type ConnectionConfig, namespaces, type ObjectKey, type Resource } from '@slipway/runtime';

/** A management plane as `slipway up` runs it: real controllers, in real time, on simulated machines. */
export interface LivePlane {
  readonly server: KubernetesServer;
  readonly client: Client;
  /** The administrator's connection to the API server. */
  readonly connection: ConnectionConfig;
  readonly identity: ServerIdentity;
  create(...objects: readonly object[]): Promise<void>;
  merge(resource: Resource, key: ObjectKey, patch: object, subresource?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface LivePlaneOptions {
  /** Whether to run controllers. Without them, objects stay unchanged. */
  readonly controllers?: boolean;
  readonly port?: number;
  /** Stores objects before the server starts, in any state. */
  readonly seed?: (store: ObjectStore) => Promise<void>;
}

export async function startLivePlane(options: LivePlaneOptions = {}): Promise<LivePlane> {
  const { controllers = true, port = 0, seed } = options;
  const scope = new Scope();
  const dependencies = { clock: systemClock, random: systemRandom, keys: await oneKey(), logger: silentLogger };
  const store = await openMemoryStore();
  scope.defer(() => store.close());
  await seed?.(store);
  const identity = await ensureServerIdentity({ ...dependencies, files: memoryFiles() }, { keyAlgorithm: 'ECDSA' });
  const server = await KubernetesServer.start({ store, ...dependencies, identity });
  scope.defer(() => server.stop());
  const client = new InProcessClient({ registry: server.registry });
  await installAll(server, client, scope);
  if (controllers) {
    const infrastructure = scope.add(dev.createDev({ ...dependencies, network: 'none' }));
    const sets = [clusterApi.clusterApiControllers, kubeadm.kubeadmControllers, infrastructure.controllers];
    const choices = { featureGates: 'ClusterTopology=true' };
    const { connect } = infrastructure;
    scope.add(await startEmbeddedControllers({ server, sets, choices, connect, ...dependencies }));
  }
  const address = await server.listen({ port });
  return {
    server,
    client,
    identity,
    connection: {
      server: `https://127.0.0.1:${address.port}`,
      certificateAuthority: { data: certificateToPem(identity.authority.certificate) },
      clientCertificate: { data: certificateToPem(identity.admin.certificate) },
      clientKey: { data: privateKeyToPem(identity.admin.key) },
    },
    async create(...objects) {
      for (const object of objects as readonly KubeObject[]) {
        const [group = '', version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
        const resource = await client.resourceFor({ group, kind: object.kind, ...(version && { version }) });
        if (resource === undefined) throw new Error(`nothing serves ${object.kind}`);
        await client.create(resource, structuredClone(object));
      }
    },
    async merge(resource, key, patch, subresource) {
      const body = { type: 'merge', patch: patch as never } as const;
      await client.patch(resource, key, body, subresource === undefined ? {} : { subresource });
    },
    stop: () => scope.dispose(),
  };
}

async function installAll(server: KubernetesServer, client: InProcessClient, scope: Scope): Promise<void> {
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  const features = { ...clusterApi.featureGateDefaults, ClusterTopology: true };
  const contractVersions = clusterApi.contractVersionsFrom((name) => findDefinition(server.store, name));
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, contractVersions),
    rules: clusterApi.bindAdmission(admissions, features, client),
  };
  scope.add(await installKinds(server, client, kinds, { clock: systemClock, random: systemRandom }));
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } } as const;
  await client.create(namespaces, home).catch(() => undefined);
}

/** Returns one key for all requests: generating keys would take longer than the rest of the test. */
async function oneKey(): Promise<KeySource> {
  const key = await generatePrivateKey('ECDSA');
  return { next: () => Promise.resolve(key) };
}

function memoryFiles(): IdentityFiles {
  const files = new Map<string, string>();
  return {
    read: (name) => Promise.resolve(files.get(name)),
    write: (name, text) => {
      files.set(name, text);
      return Promise.resolve();
    },
  };
}
