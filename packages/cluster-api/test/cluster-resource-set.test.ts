import type { Frozen } from '@slipway/kube';
import { type Client, configMaps, edit, getCondition, type Secret, secrets } from '@slipway/runtime';
import { patchObject, startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Cluster,
  type ClusterResourceSet,
  clusterResourceSetBindings,
  clusterResourceSets,
  clusters,
} from '../src/index.js';
import { getV1beta1Condition, type V1beta1Conditioned } from '../src/toolkit/index.js';
import { onlyControllers, testKinds } from './kinds.js';

const namespace = 'default';
const key = (name: string): { namespace: string; name: string } => ({ namespace, name });

let plane: TestPlane;
let client: Client;

beforeEach(async () => {
  plane = await startTestPlane({
    sets: [onlyControllers('clusterresourceset', 'clusterresourcesetbinding')],
    kinds: testKinds,
  });
  client = plane.client;
});
afterEach(() => plane.stop());

function createCluster(name: string, labels: Record<string, string> = { cni: 'x' }): Promise<Frozen<Cluster>> {
  return client.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace, labels },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name } },
  });
}

function createSet(
  name: string,
  resources: ClusterResourceSet['spec']['resources'],
  more: Partial<ClusterResourceSet['spec']> = {},
  annotations: Record<string, string> = {},
): Promise<Frozen<ClusterResourceSet>> {
  return client.create(clusterResourceSets, {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name, namespace, annotations },
    spec: { clusterSelector: { matchLabels: { cni: 'x' } }, resources, ...more },
  });
}

const manifest = (value: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'from-set', namespace: 'kube-system' },
    data: { value },
  });

async function createPayload(name: string, value = '1'): Promise<void> {
  const metadata = { name, namespace };
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: manifest(value) } });
}

async function changePayload(name: string, value: string): Promise<void> {
  await client.patch(configMaps, key(name), { type: 'merge', patch: { data: { a: manifest(value) } } });
}

const applied = (set: Frozen<ClusterResourceSet>): boolean => getCondition(set, 'ResourcesApplied')?.status === 'True';
const because =
  (reason: string) =>
  (set: Frozen<ClusterResourceSet>): boolean =>
    getCondition(set, 'ResourcesApplied')?.reason === reason;
const inWorkload = { namespace: 'kube-system', name: 'from-set' };

describe('ClusterResourceSet controller', () => {
  it('applies to every selected cluster, and records the result', async () => {
    await createCluster('a');
    await createCluster('b', { cni: 'y' });
    const workload = await plane.addWorkload(key('a'));
    await createPayload('p');
    const created = await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    const set = await plane.until(clusterResourceSets, key('set'), applied);
    expect(set.metadata.finalizers).toEqual(['addons.cluster.x-k8s.io']);
    expect(set.status?.observedGeneration).toBe(set.metadata.generation);
    expect(getV1beta1Condition(set as V1beta1Conditioned, 'ResourcesApplied')?.status).toBe('True');
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
    const binding = await client.get(clusterResourceSetBindings, key('a'));
    expect(binding.spec).toEqual({
      clusterName: 'a',
      bindings: [
        {
          clusterResourceSetName: 'set',
          resources: [
            {
              kind: 'ConfigMap',
              name: 'p',
              applied: true,
              hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
              lastAppliedTime: expect.any(String) as string,
            },
          ],
        },
      ],
    });
    const owner = { kind: 'ClusterResourceSet', name: 'set', uid: created.metadata.uid };
    expect(binding.metadata.ownerReferences).toMatchObject([owner]);
    expect((await client.get(configMaps, key('p'))).metadata.ownerReferences).toMatchObject([owner]);
    await expect(client.get(clusterResourceSetBindings, key('b'))).rejects.toThrow('not found');
  });

  it('rejects an empty selector, which would select nothing [14.25]', async () => {
    const empty = createSet('set', [{ kind: 'ConfigMap', name: 'p' }], { clusterSelector: {} });
    await expect(empty).rejects.toThrow('spec.clusterSelector: Invalid value: {}: selector must not be empty');
  });

  it.each([
    ['ApplyOnce', '1'],
    ['Reconcile', '2'],
  ] as const)('with %s leaves the cluster with %s after a change', async (strategy, value) => {
    await createCluster('a');
    const workload = await plane.addWorkload(key('a'));
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }], { strategy });
    await plane.until(clusterResourceSets, key('set'), applied);
    const before = (await client.get(clusterResourceSetBindings, key('a'))).metadata.resourceVersion;
    await changePayload('p', '2');
    if (strategy === 'Reconcile')
      await plane.until(clusterResourceSetBindings, key('a'), (b) => b.metadata.resourceVersion !== before);
    await plane.settle();
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value });
  });

  it('does not change existing objects with ApplyOnce', async () => {
    await createCluster('a');
    const workload = await plane.addWorkload(key('a'));
    await workload.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'from-set', namespace: 'kube-system' },
      data: { value: 'mine' },
    });
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    await plane.until(clusterResourceSets, key('set'), applied);
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: 'mine' });
  });

  it('accepts only Secrets of its own type [14.25]', async () => {
    await createCluster('a');
    const workload = await plane.addWorkload(key('a'));
    const secret = (type: string): Secret => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace },
      type,
      data: { a: Buffer.from(manifest('1')).toString('base64') },
    });
    await client.create(secrets, secret('Opaque'));
    await createSet('set', [{ kind: 'Secret', name: 's' }]);
    const refused = await plane.until(clusterResourceSets, key('set'), because('WrongSecretType'));
    expect(getCondition(refused, 'ResourcesApplied')?.message).toBe('Secret type of resource s is not supported');
    await client.delete(secrets, key('s'));
    await client.create(secrets, secret('addons.cluster.x-k8s.io/resource-set'));
    await plane.until(clusterResourceSets, key('set'), applied);
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
  });

  it('reports missing resources, applies the others, and continues when they exist', async () => {
    await createCluster('a');
    const workload = await plane.addWorkload(key('a'));
    await createPayload('p');
    await createSet('set', [
      { kind: 'ConfigMap', name: 'absent' },
      { kind: 'ConfigMap', name: 'p' },
    ]);
    const waiting = await plane.until(clusterResourceSets, key('set'), because('NotApplied'));
    expect(getCondition(waiting, 'ResourcesApplied')?.message).toContain('ConfigMap default/absent does not exist');
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
    const data = { a: manifest('1').replace('from-set', 'late-set') };
    await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'absent', namespace },
      data,
    });
    await plane.until(clusterResourceSets, key('set'), applied);
    expect((await workload.get(configMaps, { ...inWorkload, name: 'late-set' })).data).toEqual({ value: '1' });
  });

  it('waits for an unreachable cluster without blocking the others', async () => {
    await createCluster('down');
    await createCluster('up');
    const workload = await plane.addWorkload(key('up'));
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    const waiting = await plane.until(clusterResourceSets, key('set'), because('NotApplied'));
    expect(getCondition(waiting, 'ResourcesApplied')?.message).toContain('Waiting for a connection to Cluster down');
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
    const late = await plane.addWorkload(key('down'));
    await plane.clock.advance(61_000);
    await plane.until(clusterResourceSets, key('set'), applied);
    expect((await late.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
  });

  it('reports which object a cluster rejected', async () => {
    await createCluster('a');
    await plane.addWorkload(key('a'));
    const metadata = { name: 'p', namespace };
    const data = { a: manifest('1').replace('"kind":"ConfigMap"', '"kind":"Nonsense"') };
    await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    const failed = await plane.until(clusterResourceSets, key('set'), because('NotApplied'));
    expect(getCondition(failed, 'ResourcesApplied')?.message).toBe(
      'Failed to apply ClusterResourceSet resources to Cluster a: ConfigMap p: Nonsense kube-system/from-set: no matches for kind "Nonsense" in version "v1"',
    );
    const binding = await client.get(clusterResourceSetBindings, key('a'));
    expect(binding.spec.bindings?.[0]?.resources?.[0]?.applied).toBe(false);
    expect(failed.status?.observedGeneration).toBeUndefined();
  });

  it('shares a binding with other sets, and is removed from it when deleted', async () => {
    await createCluster('a');
    const workload = await plane.addWorkload(key('a'));
    await createPayload('p');
    await createPayload('q');
    await createSet('one', [{ kind: 'ConfigMap', name: 'p' }]);
    await createSet('two', [{ kind: 'ConfigMap', name: 'q' }]);
    const both = await plane.until(clusterResourceSetBindings, key('a'), (b) => b.spec.bindings?.length === 2);
    expect(both.metadata.ownerReferences).toHaveLength(2);
    await plane.until(clusterResourceSets, key('one'), applied);
    await client.delete(clusterResourceSets, key('one'));
    await plane.untilGone(clusterResourceSets, key('one'));
    const left = await client.get(clusterResourceSetBindings, key('a'));
    expect(left.spec.bindings?.map((entry) => entry.clusterResourceSetName)).toEqual(['two']);
    expect(left.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['two']);
    await client.delete(clusterResourceSets, key('two'));
    await plane.untilGone(clusterResourceSetBindings, key('a'));
    expect((await workload.get(configMaps, inWorkload)).data).toEqual({ value: '1' });
  });

  it('drops a deleted cluster', async () => {
    await createCluster('a');
    await plane.addWorkload(key('a'));
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    await plane.until(clusterResourceSets, key('set'), applied);
    await client.delete(clusters, key('a'));
    await plane.untilGone(clusterResourceSetBindings, key('a'));
    await plane.settle();
    await expect(client.get(clusterResourceSetBindings, key('a'))).rejects.toThrow('not found');
  });

  it('applies to clusters that are created or labelled later, and not to those that lose the label', async () => {
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }]);
    await plane.settle();
    expect((await client.get(configMaps, key('p'))).metadata.ownerReferences).toBeUndefined();
    for (const name of ['a', 'b']) {
      await createCluster(name, {});
      await plane.addWorkload(key(name));
    }
    await client.patch(clusters, key('a'), { type: 'merge', patch: { metadata: { labels: { cni: 'x' } } } });
    await plane.until(clusterResourceSets, key('set'), applied);
    await client.patch(clusters, key('b'), { type: 'merge', patch: { metadata: { labels: { cni: 'x' } } } });
    await plane.until(clusterResourceSetBindings, key('b'), (each) => each.spec.bindings?.[0]?.resources !== undefined);
    await plane.settle();
    await createCluster('down');
    await plane.until(clusterResourceSets, key('set'), because('NotApplied'));
    // The cluster is no longer selected: its problems are not reported.
    await client.patch(clusters, key('down'), { type: 'merge', patch: { metadata: { labels: { cni: 'y' } } } });
    const after = await plane.until(clusterResourceSets, key('set'), applied);
    expect(getCondition(after, 'ResourcesApplied')?.reason).toBe('Applied');
  });

  it('does nothing while it is paused', async () => {
    await createCluster('a');
    await plane.addWorkload(key('a'));
    await createPayload('p');
    await createSet('set', [{ kind: 'ConfigMap', name: 'p' }], {}, { 'cluster.x-k8s.io/paused': '' });
    await plane.until(clusterResourceSets, key('set'), (each) => getCondition(each, 'Paused')?.status === 'True');
    await plane.settle();
    const now = await client.get(clusterResourceSets, key('set'));
    expect(applied(now)).toBe(false);
    await patchObject(
      client,
      clusterResourceSets,
      now,
      edit(now, (draft) => {
        draft.metadata.annotations = {};
      }),
    );
    const resumed = await plane.until(clusterResourceSets, key('set'), applied);
    expect(getCondition(resumed, 'Paused')?.status).toBe('False');
  });
});
