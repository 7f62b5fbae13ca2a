import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { clusters, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Client, configMaps, customResourceDefinitions, type Resource, secrets } from '@slipway/runtime';
import { untilObjectGone } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  move,
  moveFromDirectory,
  type MoveOptions,
  type MoveReport,
  moveToDirectory,
  previewMove,
} from '../src/index.js';
import { Builder, mortal, startQuietCluster, watched } from './two-clusters.js';

let scope: Scope;
let source: Client;
let target: Client;
beforeEach(async () => {
  scope = new Scope();
  [source, target] = await Promise.all([startQuietCluster(scope), startQuietCluster(scope)]);
});
afterEach(() => scope.dispose());

const dependencies = { clock: systemClock, random: systemRandom, namespace: 'default' };
const run = (options: Partial<MoveOptions> = {}): Promise<MoveReport> =>
  move({ ...dependencies, from: source, to: target, ...options });

/** Returns all objects of a namespace that a move may change, by kind and name. */
async function contentOf(client: Client): Promise<Map<string, Frozen<KubeObject>>> {
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
    const { items } = await client.list(resource, resource.namespaced ? { namespace: 'default' } : {});
    for (const object of items) content.set(`${object.kind} ${object.metadata.name ?? ''}`, object);
  }
  content.delete('ConfigMap kube-root-ca.crt');
  return content;
}

async function namesOf(client: Client): Promise<string[]> {
  return [...(await contentOf(client)).keys()].sort();
}

/** Returns the fields that must not be lost: all except those that the server sets, and owner UIDs. */
function essence(object: Frozen<KubeObject>): unknown {
  const { status: _status, metadata, ...rest } = object as Frozen<KubeObject> & { status?: unknown };
  const { labels, annotations, finalizers, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map(({ uid: _uid, ...owner }) => owner);
  return { ...rest, labels, annotations, finalizers, owners };
}

const isPaused = async (client: Client, name: string): Promise<boolean | undefined> => {
  const found = (await client.list(clusters, { namespace: 'default' })).items.find(
    ({ metadata }) => metadata.name === name,
  );
  return found && found.spec.paused === true;
};

describe('move', () => {
  it('moves a Cluster with its dependents, and nothing else', async () => {
    const builder = new Builder(source);
    await builder.cluster('a');
    await builder.make('v1', 'Secret', 'unrelated', {});
    const before = await contentOf(source);
    const report = await run();
    const after = await contentOf(target);
    expect(await namesOf(source)).toEqual(['Secret unrelated']);
    before.delete('Secret unrelated');
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    const essences = (content: typeof before): object =>
      Object.fromEntries([...content].map(([name, object]) => [name, essence(object)]));
    expect(essences(after)).toEqual(essences(before));
    expect(report.moved).toHaveLength(before.size);
    expect(await isPaused(target, 'a')).toBe(false);
    const uids = new Set([...after.values()].map(({ metadata }) => metadata.uid));
    for (const { metadata } of after.values())
      for (const { uid } of metadata.ownerReferences ?? []) expect(uids.has(uid)).toBe(true);
  });

  it('keeps managedFields [14.43]', async () => {
    await new Builder(source).cluster('a');
    const key = { namespace: 'default', name: 'a' };
    await source.apply(
      clusters,
      key,
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { ...key, labels: { tier: 'one' } } },
      { fieldManager: 'capi-topology', force: true },
    );
    await run();
    const moved = await target.get(clusters, key);
    expect(moved.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toContain(
      'capi-topology Apply',
    );
  });

  it('removes spec.paused afterwards, and keeps objects paused that were paused before [14.44]', async () => {
    const builder = new Builder(source);
    await builder.cluster('a');
    await builder.cluster('b');
    const key = { namespace: 'default', name: 'b' };
    await source.patch(clusters, key, { type: 'merge', patch: { spec: { paused: true } } });
    await expect(run()).rejects.toThrow('Cluster default/b: already paused');
    await run({ waived: new Set(['paused']) });
    expect('paused' in (await target.get(clusters, { namespace: 'default', name: 'a' })).spec).toBe(false);
    expect(await isPaused(target, 'b')).toBe(true);
  });

  it('only reports the moved objects in a dry run', async () => {
    await new Builder(source).cluster('a');
    const before = await contentOf(source);
    const report = await previewMove({ ...dependencies, from: source, to: target });
    expect(report.moved).toHaveLength(before.size);
    expect(await contentOf(source)).toEqual(before);
    expect(await namesOf(target)).toEqual([]);
  });

  it('moves one of several Clusters, and keeps objects that others use', async () => {
    const builder = new Builder(source);
    await builder.cluster('a');
    await builder.cluster('b');
    await run({ cluster: 'a' });
    expect((await namesOf(source)).every((name) => / b(-|$)/.test(name))).toBe(true);
    expect((await namesOf(target)).every((name) => / a(-|$)/.test(name))).toBe(true);
  });

  const refusals: { name: string; spoil: () => Promise<unknown>; message: string }[] = [
    {
      name: 'a machine without a Node',
      spoil: () =>
        source.patch(
          machines,
          { namespace: 'default', name: 'a-1' },
          { type: 'merge', patch: { status: { nodeRef: null, phase: 'Pending' } } },
          { subresource: 'status' },
        ),
      message: 'Machine default/a-1: the Machine has no Node yet: status.nodeRef is not set',
    },
    {
      name: 'infrastructure that is not provisioned',
      spoil: () =>
        source.patch(
          clusters,
          { namespace: 'default', name: 'a' },
          { type: 'merge', patch: { status: { initialization: { infrastructureProvisioned: null } } } },
          { subresource: 'status' },
        ),
      message:
        'Cluster default/a: the infrastructure is not provisioned yet: status.initialization.infrastructureProvisioned is not true',
    },
    {
      name: 'a machine that is being deleted',
      spoil: () => source.delete(machines, { namespace: 'default', name: 'a-1' }),
      message: 'Machine default/a-1: being deleted',
    },
    {
      name: 'an existing object of the same name in the target',
      spoil: () => new Builder(target).make('v1', 'Secret', 'a-ca', {}),
      message: 'Secret default/a-ca: already exists in the target',
    },
    {
      name: 'a kind that the target does not serve',
      async spoil() {
        const key = { namespace: '', name: 'devmachines.infrastructure.cluster.x-k8s.io' };
        await target.delete(customResourceDefinitions, key);
        await untilObjectGone(target, customResourceDefinitions, key);
      },
      message: 'the target cluster does not serve kind DevMachine of infrastructure.cluster.x-k8s.io/v1beta2',
    },
    {
      name: 'a provider that the target lacks',
      spoil: () =>
        new Builder(source).make('clusterctl.cluster.x-k8s.io/v1alpha3', 'Provider', 'infrastructure-dev', {
          providerName: 'dev',
          type: 'InfrastructureProvider',
          version: 'v1.14.0',
        }),
      message: 'InfrastructureProvider dev is not installed in the target',
    },
  ];
  it.each(refusals)('rejects $name, and changes nothing', async ({ spoil, message }) => {
    await new Builder(source).cluster('a');
    await spoil();
    const before = await contentOf(source);
    await expect(run()).rejects.toThrow(message);
    expect(await contentOf(source)).toEqual(before);
  });

  it('restores the target and resumes the source when the target fails', async () => {
    await new Builder(source).cluster('a');
    const before = await contentOf(source);
    const failing = new Proxy(target, {
      get(client, name) {
        const value: unknown = Reflect.get(client, name, client);
        if (name !== 'create') return typeof value === 'function' ? value.bind(client) : value;
        return (resource: Resource, ...rest: unknown[]): unknown =>
          resource.kind === 'Machine'
            ? Promise.reject(new Error('no space left'))
            : Reflect.apply(value as () => unknown, client, [resource, ...rest]);
      },
    });
    await expect(run({ to: failing })).rejects.toThrow(
      'no space left; the move was rolled back and the source still manages the objects',
    );
    expect(await namesOf(target)).toEqual([]);
    expect(await namesOf(source)).toEqual([...before.keys()].sort());
    expect(await isPaused(source, 'a')).toBe(false);
  });
});

// Timeout: the test runs one move per write of a move, which takes minutes on a busy host.
const limitMs = 600_000;

describe('a move that is killed', { timeout: limitMs }, () => {
  it('at any write is completed or rolled back by the next one, without lost, duplicate or paused objects', async () => {
    const builder = new Builder(source);
    await builder.cluster('a');
    const names = await namesOf(source);
    let writes = 0;
    for (; ; writes += 1) {
      const life = { writes };
      const killed = await run({ from: mortal(source, life), to: mortal(target, life) }).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      const [left, copied] = [await namesOf(source), await namesOf(target)];
      for (const name of names)
        expect(left.includes(name) || copied.includes(name), `${name} after ${writes}`).toBe(true);
      const running = [await isPaused(source, 'a'), await isPaused(target, 'a')].filter((paused) => paused === false);
      expect(running.length, `running after ${writes}`).toBeLessThanOrEqual(1);
      await run();
      expect(await namesOf(source), `source after ${writes}`).toEqual([]);
      expect(await namesOf(target), `target after ${writes}`).toEqual(names);
      expect(await isPaused(target, 'a')).toBe(false);
      await prepare(target);
      [source, target] = [target, source];
    }
    expect(writes).toBeGreaterThan(names.length * 3);
  });
});

describe('a suspended move while another one starts', { timeout: limitMs }, () => {
  it('at any write loses nothing, and reports that another process took over', async () => {
    const builder = new Builder(source);
    await builder.cluster('a');
    const names = await namesOf(source);
    const reported = new Set<string>();
    let isOver = false;
    for (let at = 0; !isOver; at += 1) {
      let writes = 0;
      let others: Promise<unknown> = Promise.resolve();
      const beforeWrite = async (): Promise<void> => {
        if (writes++ !== at) return;
        others = run().catch((error: unknown) => error);
        await others;
      };
      const first = await run({ from: watched(source, beforeWrite), to: watched(target, beforeWrite) }).catch(
        (error: unknown) => error,
      );
      isOver = writes <= at;
      await others;
      if (first instanceof Error) reported.add(first.message);
      const [left, copied] = [await namesOf(source), await namesOf(target)];
      for (const name of names) expect(left.includes(name) || copied.includes(name), `${name} at ${at}`).toBe(true);
      const running = [await isPaused(source, 'a'), await isPaused(target, 'a')].filter((paused) => paused === false);
      expect(running.length, `running at ${at}`).toBeLessThanOrEqual(1);
      await startOver(at);
    }
    expect(reported).toContain('another process took over this move');
  });

  async function startOver(at: number): Promise<void> {
    [source, target] = await Promise.all([startQuietCluster(scope), startQuietCluster(scope)]);
    await new Builder(source).cluster('a');
    expect(await isPaused(source, 'a'), `a new one after ${at}`).toBe(false);
  }
});

/** Restores the status, as controllers do after a move. */
async function prepare(client: Client): Promise<void> {
  const status = { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } };
  const conditions = [
    {
      type: 'ControlPlaneInitialized',
      status: 'True',
      reason: 'Initialized',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ];
  await client.patch(
    clusters,
    { namespace: 'default', name: 'a' },
    { type: 'merge', patch: { status: { ...status, conditions } } },
    { subresource: 'status' },
  );
  await client.patch(
    machines,
    { namespace: 'default', name: 'a-1' },
    { type: 'merge', patch: { status: { nodeRef: { name: 'a-1' } } } },
    { subresource: 'status' },
  );
}

describe('a move to and from a directory', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-move-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes each object to a file that only its owner can read, and creates the objects elsewhere, repeatably', async () => {
    await new Builder(source).cluster('a');
    const before = await contentOf(source);
    const report = await moveToDirectory(source, folder, dependencies);
    expect(report.moved).toHaveLength(before.size);
    expect(await isPaused(source, 'a')).toBe(false);
    const files = await readdir(folder);
    expect(files).toContain('Cluster_default_a.yaml');
    expect((await stat(join(folder, 'Secret_default_a-ca.yaml'))).mode & 0o777).toBe(0o600);
    await rm(join(folder, 'Secret_default_a-ca.yaml'));
    await moveFromDirectory(target, folder, dependencies);
    expect(await isPaused(target, 'a')).toBe(false);
    await moveToDirectory(source, folder, dependencies);
    const { moved } = await moveFromDirectory(target, folder, dependencies);
    expect(moved).toEqual(['Secret default/a-ca']);
    expect(await namesOf(target)).toEqual([...before.keys()].sort());
  });

  it('reports files without an object, and kinds that are not served', async () => {
    await writeFile(join(folder, 'x.yaml'), 'just words');
    await expect(moveFromDirectory(target, folder, dependencies)).rejects.toThrow(
      'x.yaml does not contain a Kubernetes object',
    );
    await writeFile(join(folder, 'x.yaml'), '{"apiVersion":"x.example.com/v1","kind":"X","metadata":{"name":"x"}}');
    await expect(moveFromDirectory(target, folder, dependencies)).rejects.toThrow(
      'the target cluster does not serve kind X of x.example.com/v1',
    );
  });
});
