import { generatePrivateKey, seededRandom, silentLogger, systemClock } from '@slipway/base';
import { ensureServerIdentity, KubernetesServer, openMemoryStore } from '@slipway/apiserver';
import * as clusterApi from '@slipway/cluster-api';
import * as kubeadm from '@slipway/kubeadm';
import { type Kind, toCustomResourceDefinition } from '@slipway/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as dev from '../src/index.js';

const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
const kinds: readonly Kind[] = [
  ...new Set([
    ...conversions.map(({ kind }) => kind),
    clusterApi.provider,
    clusterApi.inClusterIpPool,
    clusterApi.globalInClusterIpPool,
    dev.devMachinePool,
    dev.devMachinePoolTemplate,
  ]),
];
const contract = { apiVersionOf: (group: string) => `${group}/v1beta1` };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusters = (version: string) => `/apis/cluster.x-k8s.io/${version}/namespaces/default/clusters`;

interface Reply {
  readonly code: number;
  // biome-ignore format: one line reads better
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read foreign JSON by path
}

let server: KubernetesServer;

beforeAll(async () => {
  const random = seededRandom(7);
  const clock = systemClock;
  const files = new Map<string, string>();
  const identity = await ensureServerIdentity({
    clock,
    random,
    keys: { next: generatePrivateKey },
    files: {
      read: (name) => Promise.resolve(files.get(name)),
      write: (name, text) => Promise.resolve(void files.set(name, text)),
    },
  });
  const user = { username: 'admin', groups: ['system:masters'] };
  const store = await openMemoryStore({ clock });
  server = await KubernetesServer.start({
    store,
    clock,
    random,
    logger: silentLogger,
    identity,
    staticTokens: [{ token: 'admin', user }],
  });
  for (const kind of kinds) {
    const own = conversions.filter((conversion) => conversion.kind === kind);
    server.registerConverter(kind.group, kind.kind, clusterApi.createConverter(own, contract));
  }
});

afterAll(async () => {
  await server.stop();
  await server.store.close();
});

async function call(method: string, url: string, body?: unknown): Promise<Reply> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const response = await server.handler.handle({
    method,
    url,
    headers: { authorization: 'Bearer admin', 'user-agent': 'test', 'content-type': 'application/json' },
    remoteAddress: '127.0.0.1',
    clientCertificate: undefined,
    readBody: () => Promise.resolve(bytes),
    onClose: () => undefined,
  });
  const chunks = response.body === undefined || typeof response.body === 'function' ? [] : [response.body].flat();
  return { code: response.status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setImmediate(resolve));
}

describe('the kinds on the embedded server', () => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))(
    '%s is installed and served in every version',
    async (_, kind) => {
      const definition = toCustomResourceDefinition(kind);
      expect((await call('POST', definitions, definition)).code).toBe(201);
      for (const { name } of kind.declaration.versions) {
        await until(async () => (await call('GET', `/apis/${kind.group}/${name}/${kind.plural}`)).code === 200);
      }
    },
  );

  it('serve an object of the old version in the new one, and back', async () => {
    const infrastructureRef = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'DevCluster',
      name: 'c',
      namespace: 'default',
    };
    const object = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'c' },
      spec: { infrastructureRef, clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/8'] } } },
    };
    expect((await call('POST', clusters('v1beta1'), object)).code).toBe(201);
    const { body: stored } = await call('GET', `${clusters('v1beta2')}/c`);
    expect(stored.spec).toEqual({
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'c' },
      clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/8'] } },
    });
    expect(stored.metadata.annotations).toBeUndefined();
    const { body: old } = await call('GET', `${clusters('v1beta1')}/c`);
    expect(old.spec).toEqual(object.spec);
  });

  it('keep what the old version cannot say when a client writes it back', async () => {
    const { body: stored } = await call('GET', `${clusters('v1beta2')}/c`);
    const status = { controlPlane: { desiredReplicas: 3 }, initialization: { infrastructureProvisioned: true } };
    expect((await call('PUT', `${clusters('v1beta2')}/c/status`, { ...stored, status })).code).toBe(200);
    const { body: old } = await call('GET', `${clusters('v1beta1')}/c`);
    const changed = await call('PUT', `${clusters('v1beta1')}/c`, { ...old, spec: { ...old.spec, paused: true } });
    expect(changed.code).toBe(200);
    const { body: after } = await call('GET', `${clusters('v1beta2')}/c`);
    expect(after.spec.paused).toBe(true);
    expect(after.status).toEqual(status);
    expect(after.metadata.annotations).toBeUndefined();
  });
});
