import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clusters, machines, providers } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  type Conditioned,
  configMaps,
  connectionOf,
  createHttpClient,
  customResourceDefinitions,
  type HttpClient,
  isConditionTrue,
  parseKubeconfig,
  namespaces,
  nodes,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Management, startEmbedded } from '../clusters/management.js';
import { peerBinary } from '../support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { runCommand } from '../support/run-command.js';
import { installStockDefinitions } from '../support/upstream-cluster-api.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

const sample = fileURLToPath(new URL('../../docs/samples/quick-start.yaml', import.meta.url));
const namespace = 'default';
const name = 'quick-start';

let embedded: Management;
let server: RealKubeApiserver;
let stock: HttpClient;

beforeAll(async () => {
  [embedded, server] = await Promise.all([startEmbedded(), startRealKubeApiserver({ controllerManager: true })]);
  await installStockDefinitions(server);
  stock = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
  await registerProviders();
  await embedded.kubectl(['apply', '-f', sample]);
  await untilAvailable();
}, 600_000);

afterAll(async () => {
  stock?.close();
  await embedded?.stop();
  await server?.stop();
});

/** Writes the provider inventory that `clusterctl init` would have written. */
async function registerProviders(): Promise<void> {
  const { items } = await embedded.client.list(providers);
  expect(items.length).toBeGreaterThan(3);
  for (const { metadata, providerName = '', type = '' } of items) {
    const namespaced = { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
    const space = { apiVersion: 'v1' as const, kind: 'Namespace' as const, metadata: { name: namespaced.namespace } };
    await stock.create(namespaces, space).catch(() => undefined);
    const apiVersion = 'clusterctl.cluster.x-k8s.io/v1alpha3' as const;
    const labels = { 'clusterctl.cluster.x-k8s.io': '', 'clusterctl.cluster.x-k8s.io/core': 'inventory' };
    const stored = { ...namespaced, labels };
    await stock.create(providers, {
      apiVersion,
      kind: 'Provider',
      metadata: stored,
      providerName,
      type,
      version: 'v1.14.2',
    });
  }
}

async function untilAvailable(): Promise<void> {
  await embedded.until('the cluster is Available', clusters, (view) => {
    const cluster = view.get({ namespace, name });
    return cluster !== undefined && isConditionTrue(cluster as Conditioned, 'Available');
  });
  await embedded.until('all machines have their Node', machines, (view) => {
    const all = view.list(namespace);
    return all.length === 3 && all.every(({ status }) => status?.nodeRef !== undefined);
  });
}

/** Returns all objects that a move may change, by kind and name. */
async function contentOf(client: Client): Promise<ReadonlyMap<string, Frozen<KubeObject>>> {
  const definitions = (await client.list(customResourceDefinitions)).items;
  const resources: Resource[] = definitions.map(({ spec }) => ({
    group: spec.group,
    version: spec.versions.find(({ storage }) => storage)?.name ?? '',
    kind: spec.names.kind,
    plural: spec.names.plural,
    namespaced: spec.scope === 'Namespaced',
  }));
  const content = new Map<string, Frozen<KubeObject>>();
  for (const resource of [...resources, secrets, configMaps]) {
    const { items } = await client.list(resource, resource.namespaced ? { namespace } : {});
    for (const object of items) content.set(`${object.kind} ${object.metadata.name ?? ''}`, object);
  }
  content.delete('ConfigMap kube-root-ca.crt');
  return content;
}

/** Returns the fields that a move must not change. */
function essence({
  apiVersion: _apiVersion,
  kind: _kind,
  metadata,
  status: _status,
  ...rest
}: Frozen<KubeObject>): unknown {
  const { labels, annotations = {}, finalizers, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map(({ uid: _uid, ...owner }) => owner);
  const spec = { ...(rest['spec'] as object | undefined) } as Record<string, unknown>;
  // The Cluster is paused during the move. The field is removed afterwards.
  delete spec['paused'];
  // Shorten and sort the data, and omit secrets, which a failing test would print.
  const entries = Object.entries((rest['data'] ?? {}) as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1));
  const data = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
  return { ...rest, spec, data, labels, annotations, finalizers, owners };
}

function essences(content: ReadonlyMap<string, Frozen<KubeObject>>): object {
  return Object.fromEntries([...content].map(([key, object]) => [key, essence(object)]));
}

async function runningOn(client: Client): Promise<boolean> {
  const { items } = await client.list(clusters, { namespace });
  return items.some(({ spec }) => spec.paused !== true);
}

/**
 * Returns a script that is preloaded into the command, so that it kills itself at that line. A kill from outside would not be
 * deterministic.
 */
function killedAt(line: RegExp): string {
  const text = `
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text, ...rest) => {
      const taken = write(text, ...rest);
      if (/${line.source}/m.test(String(text))) process.kill(process.pid, 'SIGKILL');
      return taken;
    };`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

const killPoints = [
  /^pausing 1\//,
  /^copying 1\//,
  /^copying 12\//,
  /^verifying 3\//,
  /^switching 1\//,
  /^deleting 1\//,
  /^deleting 9\//,
];

async function moveWithKills(args: readonly string[], from: Client, to: Client): Promise<void> {
  const names = [...(await contentOf(from)).keys()];
  for (const point of killPoints) {
    const killed = await runCommand(process.execPath, ['--import', killedAt(point), installedSlipway, 'move', ...args]);
    expect(killed, `${killed.stdout}${killed.stderr}`).toMatchObject({ code: null });
    const [left, copied] = [await contentOf(from), await contentOf(to)];
    expect(names.filter((each) => !left.has(each) && !copied.has(each))).toEqual([]);
    expect([await runningOn(from), await runningOn(to)].filter(Boolean).length).toBeLessThanOrEqual(1);
  }
  const end = await runCommand(process.execPath, [installedSlipway, 'move', ...args]);
  expect({ code: end.code, stderr: end.stderr }).toEqual({ code: 0, stderr: '' });
  expect(end.stdout).toContain(`Moved (${names.length})`);
}

describe('slipway move', () => {
  it('moves to kube-apiserver with stock CRDs, killed in every phase, and back', async () => {
    const before = await contentOf(embedded.client);
    await moveWithKills(
      ['--kubeconfig', embedded.kubeconfig, '--to-kubeconfig', server.kubeconfigFile],
      embedded.client,
      stock,
    );
    const inTarget = await contentOf(stock);
    expect([...(await contentOf(embedded.client)).keys()]).toEqual([]);
    expect(essences(inTarget)).toEqual(essences(before));
    expect(await runningOn(stock)).toBe(true);
    // A plan needs only the objects, independent of the server.
    const scaled = readFileSync(sample, 'utf8').replace('replicas: 2', 'replicas: 3');
    const args = [installedSlipway, 'plan', '-f', '-', '--kubeconfig', server.kubeconfigFile];
    const planned = await runCommand(process.execPath, args, { input: scaled });
    expect(planned.stdout).toContain('1 to create, 0 to replace, 0 to update in place, 0 to delete.');

    // No controller rebuilds the status in the target, and a move requires a status that reports provisioned infrastructure.
    const back = [
      '--kubeconfig',
      server.kubeconfigFile,
      '--to-kubeconfig',
      embedded.kubeconfig,
      '--waive',
      'provisioned',
    ];
    await moveWithKills(back, stock, embedded.client);
    expect([...(await contentOf(stock)).keys()]).toEqual([]);
    await untilAvailable();
    const after = await contentOf(embedded.client);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    const workload = await workloadOf(embedded.client);
    expect((await workload.list(nodes)).items).toHaveLength(3);
    workload.close();
  }, 600_000);

  it('works with stock clusterctl too, from the embedded server to kube-apiserver', async () => {
    const before = await contentOf(embedded.client);
    const args = [
      'move',
      '--kubeconfig',
      embedded.kubeconfig,
      '--to-kubeconfig',
      server.kubeconfigFile,
      '-n',
      namespace,
    ];
    const env = { CLUSTERCTL_DISABLE_VERSIONCHECK: 'true' };
    const { code, stderr } = await runCommand(peerBinary('clusterctl'), args, { env });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const inTarget = await contentOf(stock);
    expect([...(await contentOf(embedded.client)).keys()]).toEqual([]);
    expect(essences(inTarget)).toEqual(essences(before));
  });
});

async function workloadOf(client: Client): Promise<HttpClient> {
  const secret = await client.get(secrets, { namespace, name: `${name}-kubeconfig` });
  const text = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
  return createHttpClient(connectionOf(parseKubeconfig(text)));
}
