import { describe, expect, it } from 'vitest';
import { cloneJson, type JsonObject } from '../json/index.js';
import { fieldSetOf } from './field-set.js';
import { fieldKey } from './path-key.js';
import { widget, widgetVersion, WidgetServer } from './testing/widget.js';

const noStatus = fieldSetOf([fieldKey('status')]);

describe('updateManagedFields on POST', () => {
  it('assigns all fields except server-managed ones to the request’s manager, including containers', async () => {
    const server = new WidgetServer();
    await server.update('kubectl-create', {
      ...widget({ color: 'red', door: { width: '1' }, items: [{ name: 'a', v: '1' }] }),
      metadata: {
        name: 'w',
        generateName: 'w-',
        namespace: 'd',
        uid: 'u',
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { a: 'b' },
      },
    });
    expect(server.entries).toEqual([
      {
        manager: 'kubectl-create',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            '.': {},
            'f:color': {},
            'f:door': { '.': {}, 'f:width': {} },
            'f:items': { '.': {}, 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:v': {} } },
          },
        },
      },
    ]);
    expect(Object.keys(server.entries[0] ?? {})).toEqual([
      'manager',
      'operation',
      'apiVersion',
      'time',
      'fieldsType',
      'fieldsV1',
    ]);
  });

  it('assigns no owner to structs that a kind always has', async () => {
    const server = new WidgetServer();
    await server.update('m', widget({ color: 'red', door: { width: '1' } }), { empty: widget({ door: {} }) });
    expect(server.claims).toEqual({ 'm Update': { 'f:spec': { 'f:color': {}, 'f:door': { 'f:width': {} } } } });
  });

  it('omits fields that the request cannot set', async () => {
    const server = new WidgetServer();
    await server.update('m', widget({ color: 'red' }, { status: { phase: 'x' } }), { resetFields: noStatus });
    expect(server.claims).toEqual({ 'm Update': { 'f:spec': { '.': {}, 'f:color': {} } } });
  });

  it('adds no entry if there is nothing to own', async () => {
    const server = new WidgetServer();
    await server.update('m', widget(undefined));
    expect(server.live).toEqual(widget(undefined));
  });

  it('shares the field sets of objects with the same fields', async () => {
    const [one, two] = [new WidgetServer(), new WidgetServer()];
    await one.update('a', widget({ color: 'red', items: [{ name: 'x', v: '1' }] }));
    await two.update('b', widget({ color: 'blue', items: [{ name: 'x', v: '2' }] }));
    expect(two.entries[0]?.fieldsV1?.['f:spec']).toBe(one.entries[0]?.fieldsV1?.['f:spec']);
  });

  it('records a manager without a name as unknown', async () => {
    const server = new WidgetServer();
    await server.update('', widget({ size: 1 }));
    expect(server.entries[0]?.manager).toBe('unknown');
  });

  it('tolerates list items that violate the schema', async () => {
    const server = new WidgetServer();
    await server.update('m', widget({ items: [{ v: '1' }] }));
    expect(server.entries).toEqual([]);
  });
});

describe('updateManagedFields on PUT and PATCH', () => {
  async function created(spec: JsonObject): Promise<WidgetServer> {
    const server = new WidgetServer();
    await server.update('creator', widget(spec));
    server.nowMs += 60_000;
    return server;
  }

  it('assigns changed fields to the manager and keeps the owners of unchanged ones', async () => {
    const server = await created({ color: 'red', size: 1 });
    await server.update('editor', widget({ color: 'blue', size: 1 }));
    expect(server.claims).toEqual({
      'creator Update': { 'f:spec': { '.': {}, 'f:size': {} } },
      'editor Update': { 'f:spec': { 'f:color': {} } },
    });
    expect(server.entries.map(({ time }) => time)).toEqual(['2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z']);
  });

  it('drops removed fields from every set without a new time', async () => {
    const server = await created({ color: 'red', size: 1, items: [{ name: 'a', v: '1' }] });
    await server.update('editor', widget({ size: 1 }));
    expect(server.claims).toEqual({ 'creator Update': { 'f:spec': { '.': {}, 'f:size': {} } } });
    expect(server.entries[0]?.time).toBe('2026-01-02T03:04:05Z');
  });

  it('drops a manager without fields', async () => {
    const server = new WidgetServer();
    await server.update('a', widget({ color: 'red' }), { empty: widget({}) });
    await server.update('b', widget({ color: 'blue' }));
    expect(Object.keys(server.claims)).toEqual(['b Update']);
  });

  it('keeps the entry objects of unaffected managers', async () => {
    const server = await created({ color: 'red', size: 1 });
    await server.update('editor', widget({ color: 'blue', size: 1 }));
    const before = server.entries;
    await server.update('third', widget({ color: 'green', size: 1 }));
    expect(server.entries[0]).toBe(before[0]);
  });

  it('keeps the time of managedFields if nothing changed', async () => {
    const server = await created({ color: 'red' });
    const before = server.entries;
    await server.update('editor', widget({ color: 'red' }));
    expect(server.entries).toBe(before);
  });

  it('tracks a separate entry for the status subresource', async () => {
    const server = await created({ color: 'red' });
    await server.update('creator', widget({ color: 'red' }, { status: { phase: 'x' } }), {
      subresource: 'status',
      resetFields: fieldSetOf([fieldKey('spec')], [fieldKey('metadata')]),
    });
    expect(server.claims).toEqual({
      'creator Update': { 'f:spec': { '.': {}, 'f:color': {} } },
      'creator Update/status': { 'f:status': { '.': {}, 'f:phase': {} } },
    });
    expect(Object.keys(server.entries[1] ?? {}).at(-1)).toBe('subresource');
  });

  it('assigns defaulted fields and fields set by webhooks to the request’s manager', async () => {
    const server = await created({ color: 'red' });
    await server.update('editor', widget({ color: 'red', size: 3 }));
    expect(server.claims['editor Update']).toEqual({ 'f:spec': { 'f:size': {} } });
  });

  it('keeps entries at another version separate', async () => {
    const server = await created({ color: 'red', size: 1 });
    await server.update('creator', widget({ color: 'red', size: 2 }), { apiVersion: 'example.com/v2' });
    expect(server.entries.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
      ['creator', 'example.com/v1'],
      ['creator', 'example.com/v2'],
    ]);
  });

  it('merges the oldest of more than ten Update managers into ancient-changes', async () => {
    const server = new WidgetServer();
    const tags: Record<string, string> = {};
    for (let index = 0; index < 12; index += 1) {
      server.nowMs += 1_000;
      tags[`t${index}`] = 'x';
      await server.update(`m${index}`, widget({ tags: { ...tags } }), { empty: widget({ tags: {} }) });
    }
    const updates = server.entries.map(({ manager }) => manager);
    expect(updates).toEqual(['ancient-changes', ...Array.from({ length: 9 }, (_, index) => `m${index + 3}`)]);
    expect(server.claims['ancient-changes Update']).toEqual({
      'f:spec': { 'f:tags': { 'f:t0': {}, 'f:t1': {}, 'f:t2': {} } },
    });
    expect(server.entries[0]?.time).toBe('2026-01-02T03:04:08Z');
  });
});

describe('managedFields in the body', () => {
  async function tracked(): Promise<WidgetServer> {
    const server = new WidgetServer();
    await server.update('creator', widget({ color: 'red' }));
    return server;
  }
  const put = (managedFields: unknown): JsonObject =>
    widget({ color: 'red' }, {}, { uid: 'u', managedFields: managedFields as JsonObject });

  it.each([
    ['nil', undefined],
    ['null', null],
    ['a value that is not a list', 'x'],
    ['an entry without an operation', [{ manager: 'x', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]],
    ['an entry without an apiVersion', [{ manager: 'x', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: {} }]],
    ['an entry without a fieldsType', [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsV1: {} }]],
    [
      'an entry with an unknown fieldsType',
      [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'V2', fieldsV1: {} }],
    ],
    [
      'an entry with malformed fields',
      [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { foo: {} } }],
    ],
    ['an entry that is not an object', [1]],
  ])('keeps the stored entries for %s', async (_name, managedFields) => {
    const server = await tracked();
    const before = server.entries;
    await server.update('editor', put(managedFields));
    expect(server.entries).toBe(before);
  });

  it.each([
    ['[]', []],
    ['[{}]', [{}]],
  ])('resets tracking for %s, and does not resume it on later updates', async (_name, managedFields) => {
    const server = await tracked();
    await server.update('editor', put(managedFields));
    expect(server.entries).toEqual([]);
    await server.update('editor', widget({ color: 'blue' }));
    expect(server.entries).toEqual([]);
  });

  it('accepts edited entries', async () => {
    const server = await tracked();
    const [entry] = cloneJson(server.entries) as unknown[];
    await server.update(
      'editor',
      put([{ ...(entry as object), manager: 'renamed', time: '2025-01-01T01:00:00+01:00' }]),
    );
    expect(server.entries.map(({ manager, time }) => [manager, time])).toEqual([['renamed', '2025-01-01T00:00:00Z']]);
  });

  it('keeps the stored entries that are sent back unchanged', async () => {
    const server = await tracked();
    const before = server.entries;
    await server.update('editor', put(cloneJson(before)));
    expect(server.entries).toBe(before);
  });

  it('rejects changes through a subresource', async () => {
    const server = await tracked();
    const before = server.entries;
    await server.update('editor', put([]), { subresource: 'status' });
    expect(server.entries).toBe(before);
  });
});

describe('managers at other versions', () => {
  const renamed = (object: JsonObject): JsonObject => {
    const { size, height, ...spec } = object['spec'] as JsonObject;
    const value = size ?? height;
    const version = object['apiVersion'] === widgetVersion ? 'example.com/v2' : widgetVersion;
    return {
      ...object,
      apiVersion: version,
      spec: { ...spec, [version === widgetVersion ? 'size' : 'height']: value },
    };
  };

  it('drops the fields of a manager that the write changes at its version', async () => {
    const server = new WidgetServer();
    await server.update('old', widget({ size: 1, color: 'red' }));
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { height: { type: 'integer' }, color: { type: 'string' } } } },
    } as const;
    server.live = renamed(server.live as JsonObject);
    await server.update(
      'new',
      { ...server.live, spec: { height: 2, color: 'red' } },
      {
        apiVersion: 'example.com/v2',
        schema,
        versions: { schemaOf: () => schema, convert: async (object) => renamed(object) },
      },
    );
    expect(server.claims).toEqual({
      'new Update': { 'f:spec': { 'f:height': {} } },
      'old Update': { 'f:spec': { '.': {}, 'f:color': {} } },
    });
  });

  it('removes a manager whose version is no longer served', async () => {
    const server = new WidgetServer();
    await server.update('old', widget({ size: 1 }), { apiVersion: 'example.com/v0' });
    await server.update('new', widget({ size: 2 }), {
      versions: { schemaOf: () => undefined, convert: (object) => object },
    });
    expect(Object.keys(server.claims)).toEqual(['new Update']);
  });

  it('keeps a manager if conversion fails', async () => {
    const server = new WidgetServer();
    await server.update('old', widget({ size: 1 }), { apiVersion: 'example.com/v0' });
    const before = server.entries;
    await server.update('new', widget({ size: 2 }), {
      versions: { schemaOf: () => ({}), convert: () => Promise.reject(new Error('webhook is down')) },
    });
    expect(server.entries).toBe(before);
  });
});
