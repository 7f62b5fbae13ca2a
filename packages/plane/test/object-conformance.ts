import { expect, it } from 'vitest';
import { type Client, type ConfigMap, configMaps } from '@slipway/runtime';
import { configMap, failure, namespace, type Widget, widget, widgets } from './conformance-fixtures.js';

export function objectTests(use: () => Client): void {
  it('creates, reads, replaces and deletes an object', async () => {
    const client = use();
    const created = await client.create(configMaps, configMap('life', { a: '1' }));
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    const read = await client.get(configMaps, { namespace, name: 'life' });
    expect(read).toEqual(created);
    const updated = await client.update(configMaps, { ...read, data: { a: '2' } } as ConfigMap);
    expect(updated.data).toEqual({ a: '2' });
    expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(await client.delete(configMaps, { namespace, name: 'life' })).toBeUndefined();
    expect(await failure(client.get(configMaps, { namespace, name: 'life' }))).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "life" not found',
      details: { name: 'life', kind: 'configmaps' },
    });
  });

  it('returns frozen objects', async () => {
    const client = use();
    const created = await client.create(configMaps, configMap('frozen', { a: '1' }));
    const list = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=frozen' });
    for (const one of [created, await client.get(configMaps, { namespace, name: 'frozen' }), ...list.items]) {
      expect([one, one.metadata, one.data].every((part) => Object.isFrozen(part))).toBe(true);
    }
  });

  it('accepts parts of frozen objects in writes and omits undefined members', async () => {
    const client = use();
    const first = await client.create(configMaps, configMap('parts', { a: '1' }));
    const second = { ...first, metadata: { ...first.metadata, labels: { b: undefined, c: 'x' } } };
    const updated = await client.update(configMaps, second as unknown as ConfigMap);
    expect(updated.data).toEqual({ a: '1' });
    expect(updated.metadata.labels).toEqual({ c: 'x' });
  });

  it('preserves 64-bit integers exactly', async () => {
    const client = use();
    const serial = 9_007_199_254_740_993n as unknown as number;
    const created = await client.create(widgets, widget('exact', { serial }));
    expect(created.spec?.serial).toBe(9_007_199_254_740_993n);
    const read = await client.get(widgets, { namespace, name: 'exact' });
    expect(read.spec?.serial).toBe(9_007_199_254_740_993n);
  });

  it('rejects targets that would resolve to another endpoint', async () => {
    const client = use();
    const nameless = await failure(client.get(configMaps, { namespace, name: '' }));
    expect(nameless.message).toBe('resource name may not be empty');
    const withoutNamespace = await failure(client.get(configMaps, { namespace: '', name: 'a' }));
    expect(withoutNamespace.message).toBe('an empty namespace may not be set when a resource name is provided');
    const created = await failure(
      client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
    );
    expect(created.message).toBe('an empty namespace may not be set during creation');
    const escaping = await failure(client.get(configMaps, { namespace, name: '../secrets/a' }));
    expect(escaping.reason).toBe('BadRequest');
  });

  it('rejects with the reason of an aborted signal', async () => {
    const stopper = new AbortController();
    stopper.abort(new Error('enough'));
    const read = use().get(configMaps, { namespace, name: 'any' }, { signal: stopper.signal });
    await expect(read).rejects.toThrow('enough');
  });
}

export function writeTests(use: () => Client): void {
  it('reports AlreadyExists, Conflict and Invalid like the server', async () => {
    const client = use();
    const created = await client.create(widgets, widget('errors', { size: 1 }));
    expect(await failure(client.create(widgets, widget('errors', {})))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'widgets.conformance.slipway.dev "errors" already exists',
    });
    await client.update(widgets, { ...created, spec: { size: 2 } } as Widget);
    expect(await failure(client.update(widgets, { ...created, spec: { size: 3 } } as Widget))).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
    const invalid = await failure(client.create(widgets, widget('invalid', { size: 101 })));
    expect(invalid).toMatchObject({ code: 422, reason: 'Invalid', details: { kind: 'Widget', name: 'invalid' } });
    expect(invalid.details?.causes?.[0]?.field).toBe('spec.size');
  });

  it('sends merge patches and JSON patches', async () => {
    const client = use();
    const key = { namespace, name: 'patched' };
    await client.create(configMaps, configMap('patched', { a: '1', b: '2' }));
    const merged = await client.patch(configMaps, key, { type: 'merge', patch: { data: { a: null, c: '3' } } });
    expect(merged.data).toEqual({ b: '2', c: '3' });
    const operated = await client.patch(configMaps, key, {
      type: 'json',
      patch: [
        { op: 'test', path: '/data/b', value: '2' },
        { op: 'replace', path: '/data/b', value: '4' },
      ],
    });
    expect(operated.data).toEqual({ b: '4', c: '3' });
    const stale = {
      type: 'merge',
      patch: { metadata: { resourceVersion: merged.metadata.resourceVersion ?? '' } },
    } as const;
    expect((await failure(client.patch(configMaps, key, stale))).reason).toBe('Conflict');
  });

  it('writes status separately', async () => {
    const client = use();
    const key = { namespace, name: 'status' };
    const created = await client.create(widgets, widget('status', { size: 1 }));
    const patched = await client.patch(
      widgets,
      key,
      { type: 'merge', patch: { spec: { size: 2 }, status: { phase: 'Ready' } } },
      { subresource: 'status' },
    );
    expect(patched).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
    expect(patched.metadata.generation).toBe(created.metadata.generation);
    const updated = await client.update(
      widgets,
      { ...patched, spec: { size: 3 }, status: { phase: 'Done' } } as Widget,
      { subresource: 'status' },
    );
    expect(updated).toMatchObject({ spec: { size: 1 }, status: { phase: 'Done' } });
  });

  it('applies, reports ownership conflicts, and takes ownership with force', async () => {
    const client = use();
    const key = { namespace, name: 'applied' };
    const configuration = (size: number) => ({
      apiVersion: 'conformance.slipway.dev/v1',
      kind: 'Widget',
      metadata: { name: 'applied', namespace },
      spec: { size },
    });
    const first = await client.apply(widgets, key, configuration(1), { fieldManager: 'one' });
    expect(first.spec?.size).toBe(1);
    expect(first.metadata.managedFields?.[0]).toMatchObject({ manager: 'one', operation: 'Apply' });
    const same = await client.apply(widgets, key, configuration(1), { fieldManager: 'one' });
    expect(same.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const refused = await failure(client.apply(widgets, key, configuration(2), { fieldManager: 'two' }));
    expect(refused).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refused.details?.causes?.[0]).toMatchObject({ reason: 'FieldManagerConflict', field: '.spec.size' });
    const forced = await client.apply(widgets, key, configuration(2), { fieldManager: 'two', force: true });
    expect(forced.spec?.size).toBe(2);
  });

  it('changes nothing in a dry run', async () => {
    const client = use();
    const tried = await client.create(configMaps, configMap('dry', {}), { dryRun: true });
    expect(tried.metadata.uid).toBeDefined();
    expect((await failure(client.get(configMaps, { namespace, name: 'dry' }))).reason).toBe('NotFound');
  });

  it('names the field manager', async () => {
    const created = await use().create(configMaps, configMap('managed', { a: '1' }), { fieldManager: 'tester' });
    expect(created.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
  });
}
