import { expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { type Client, configMaps, type Resource, serviceAccounts } from '@slipway/runtime';
import { configMap, failure, namespace, widgetKind, widgets } from './conformance-fixtures.js';

const deployments: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

export function deletionTests(use: () => Client): void {
  it('returns the object while finalizers block its deletion, and undefined once it is deleted', async () => {
    const client = use();
    const key = { namespace, name: 'held' };
    const held = configMap('held', {});
    held.metadata.finalizers = ['conformance.slipway.dev/hold'];
    await client.create(configMaps, held);
    const terminating = await client.delete(configMaps, key);
    expect(terminating?.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect((await client.delete(configMaps, key))?.metadata.uid).toBe(terminating?.metadata.uid);
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { finalizers: null } } });
    expect((await failure(client.get(configMaps, key))).reason).toBe('NotFound');
    expect((await failure(client.delete(configMaps, key))).reason).toBe('NotFound');
  });

  it('deletes only the object that matches the preconditions', async () => {
    const client = use();
    const key = { namespace, name: 'meant' };
    const created = await client.create(configMaps, configMap('meant', {}));
    const other = client.delete(configMaps, key, { preconditions: { uid: 'c0ffee00-0000-4000-8000-000000000000' } });
    expect((await failure(other)).reason).toBe('Conflict');
    const { uid } = created.metadata;
    expect(await client.delete(configMaps, key, { preconditions: { uid } })).toBeUndefined();
  });

  it('returns undefined for kinds whose DELETE returns the object', async () => {
    const client = use();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'leaving', namespace } } as const;
    await client.create(serviceAccounts, structuredClone(account));
    expect(await client.delete(serviceAccounts, { namespace, name: 'leaving' })).toBeUndefined();
  });

  it('deletes the objects that a selector matches', async () => {
    const client = use();
    for (const [index, group] of ['x', 'x', 'y'].entries()) {
      await client.create(configMaps, configMap(`many-${index}`, {}, { many: group }));
    }
    await client.deleteAll(configMaps, { namespace, labelSelector: 'many=x' });
    const left = await client.list(configMaps, { namespace, labelSelector: 'many' });
    expect(left.items.map((item) => item.metadata.name)).toEqual(['many-2']);
  });
}

export function listTests(use: () => Client): void {
  it('selects by labels and fields, and sets apiVersion and kind of items', async () => {
    const client = use();
    for (const name of ['list-a', 'list-b', 'list-c']) {
      await client.create(configMaps, configMap(name, {}, { listed: name === 'list-c' ? 'no' : 'yes' }));
    }
    const labelled = await client.list(configMaps, { namespace, labelSelector: 'listed in (yes)' });
    expect(labelled.items.map((item) => item.metadata.name)).toEqual(['list-a', 'list-b']);
    expect(labelled.items.every((item) => item.kind === 'ConfigMap' && item.apiVersion === 'v1')).toBe(true);
    const named = await client.list(configMaps, {
      fieldSelector: `metadata.name=list-b,metadata.namespace=${namespace}`,
    });
    expect(named.items.map((item) => item.metadata.name)).toEqual(['list-b']);
    expect(named.resourceVersion).toMatch(/^[1-9][0-9]*$/);
  });

  it('returns lists in pages', async () => {
    const client = use();
    for (let index = 0; index < 5; index += 1) {
      await client.create(configMaps, configMap(`page-${index}`, {}, { paged: 'yes' }));
    }
    const names: (string | undefined)[] = [];
    let next: string | undefined;
    let pages = 0;
    do {
      const page = await client.list(configMaps, { namespace, labelSelector: 'paged', limit: 2, continue: next });
      names.push(...page.items.map((item) => item.metadata.name));
      next = page.continue;
      pages += 1;
    } while (next !== undefined);
    expect(names).toEqual([0, 1, 2, 3, 4].map((index) => `page-${index}`));
    expect(pages).toBe(3);
  });

  it('reads lists that are large enough to be compressed', async () => {
    const client = use();
    const text = 'large '.repeat(15_000);
    for (const name of ['large-a', 'large-b', 'large-c']) {
      await client.create(configMaps, configMap(name, { text }, { large: 'yes' }));
    }
    const { items } = await client.list(configMaps, { namespace, labelSelector: 'large' });
    expect(items.map((item) => item.data?.['text'] === text)).toEqual([true, true, true]);
  });

  it('fails for an unknown resource like the server', async () => {
    const unknown = {
      group: 'conformance.slipway.dev',
      version: 'v1',
      kind: 'Gadget',
      plural: 'gadgets',
      namespaced: true,
    };
    expect(await failure(use().list(unknown))).toMatchObject({ code: 404, reason: 'NotFound' });
  });
}

export function discoveryTests(use: () => Client): void {
  it('finds resources by kind', async () => {
    const client = use();
    expect(await client.resourceFor({ group: '', kind: 'ConfigMap' })).toEqual(configMaps);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget' })).toEqual(widgets);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget', version: 'v1' })).toEqual(widgets);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget', version: 'v2' })).toBeUndefined();
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Gadget' })).toBeUndefined();
    expect(await client.resourceFor({ group: 'nobody.example.com', kind: 'Gadget' })).toBeUndefined();
  });

  it('reads subresources', async () => {
    const client = use();
    const labels = { app: 'parts' };
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'parts', namespace },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    } as const;
    const { metadata } = await client.create(deployments, structuredClone(web) as KubeObject);
    const key = { namespace, name: 'parts' };
    expect(await client.getSubresource(deployments, key, 'scale')).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'parts', uid: metadata.uid },
      spec: { replicas: 3 },
      status: { replicas: 0, selector: 'app=parts' },
    });
    expect(await client.getSubresource(deployments, key, 'status')).toMatchObject({ kind: 'Deployment', metadata });
    const absent = client.getSubresource(deployments, { namespace, name: 'absent' }, 'scale');
    expect((await failure(absent)).reason).toBe('NotFound');
  });

  it('requests service account tokens', async () => {
    const client = use();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'speaker', namespace } } as const;
    await client.create(serviceAccounts, structuredClone(account));
    const answer = await client.createSubresource(serviceAccounts, { namespace, name: 'speaker' }, 'token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    });
    expect(answer).toMatchObject({ kind: 'TokenRequest', status: { token: expect.stringMatching(/^ey/) } });
  });
}
