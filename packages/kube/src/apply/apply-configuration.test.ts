import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors/index.js';
import type { JsonObject } from '../json/index.js';
import { fieldSetOf } from './field-set.js';
import { sameExceptManagedFieldTimes } from './no-op.js';
import { fieldKey } from './path-key.js';
import { widget, WidgetServer } from './testing/widget.js';

async function statusErrorOf(attempt: Promise<unknown>): Promise<StatusError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw new Error(`expected a StatusError, got ${String(error)}`);
  return error;
}

function specOf(object: JsonObject | undefined): unknown {
  return object?.['spec'];
}

describe('applyConfiguration', () => {
  it('creates the object and records ownership of the configuration', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red', items: [{ name: 'a' }] }, {}, { labels: { l: 'x' } }));
    expect(specOf(server.live)).toEqual({ color: 'red', items: [{ name: 'a' }] });
    expect(server.entries).toEqual([
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:l': {} } },
          'f:spec': { 'f:color': {}, 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } },
        },
      },
    ]);
  });

  it('keeps the time of managedFields if nothing changed, so that a repeated apply is a no-op', async () => {
    const server = new WidgetServer();
    const config = widget({ color: 'red', words: ['a', 'b'], free: { x: { y: [1] } } });
    const first = await server.apply('me', config);
    server.nowMs += 60_000;
    const second = await server.apply('me', config);
    expect(second).toEqual(first);
    expect(sameExceptManagedFieldTimes(first, second)).toBe(true);
  });

  it('does not record ownership of schema defaults', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    server.live = { ...(server.live as JsonObject), spec: { color: 'red', size: 3 } };
    await server.apply('me', widget({ color: 'blue' }));
    expect(specOf(server.live)).toEqual({ color: 'blue', size: 3 });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('deletes dropped fields without another owner', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red', size: 1, door: { lock: { key: 'k' } } }));
    await server.apply('me', widget({ color: 'red' }));
    expect(server.live).toEqual(
      widget({ color: 'red' }, {}, { managedFields: server.entries as unknown as JsonObject }),
    );
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('gives up the ownership of a dropped field, but keeps the field if another manager owns it', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ color: 'red', size: 1 }));
    await server.apply('b', widget({ size: 1 }));
    await server.apply('a', widget({ color: 'red' }));
    expect(specOf(server.live)).toEqual({ color: 'red', size: 1 });
    expect(server.claims).toEqual({
      'a Apply': { 'f:spec': { 'f:color': {} } },
      'b Apply': { 'f:spec': { 'f:size': {} } },
    });
  });

  it('deletes only the parts of a dropped list item without another owner, and tracks ownership per subresource', async () => {
    const server = new WidgetServer();
    await server.apply(
      'a',
      widget({
        items: [
          { name: 'x', v: '1' },
          { name: 'y', v: '1' },
        ],
      }),
    );
    await server.apply('b', widget({ items: [{ name: 'x', w: '2' }] }));
    await server.apply('a', widget({}), { subresource: 'status' });
    await server.apply('a', widget({ color: 'red' }));
    expect(specOf(server.live)).toEqual({ items: [{ name: 'x', w: '2' }], color: 'red' });
    expect(server.claims).toEqual({
      'a Apply': { 'f:spec': { 'f:color': {} } },
      'a Apply/status': { 'f:spec': {} },
      'b Apply': { 'f:spec': { 'f:items': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:w': {} } } } },
    });
  });

  it('shares a value that two managers apply, without a conflict', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ color: 'red' }));
    await server.apply('b', widget({ color: 'red' }));
    expect(server.claims).toEqual({
      'a Apply': { 'f:spec': { 'f:color': {} } },
      'b Apply': { 'f:spec': { 'f:color': {} } },
    });
    const { message } = await statusErrorOf(server.apply('a', widget({ color: 'blue' })));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "b": .spec.color');
  });

  it('replaces a member of a set: removes the old member and adds the new one', async () => {
    const server = new WidgetServer();
    await server.update('other', widget({ words: ['keep'] }));
    await server.apply('me', widget({ words: ['a', 'b'] }));
    await server.apply('me', widget({ words: ['c'] }));
    expect(specOf(server.live)).toEqual({ words: ['keep', 'c'] });
  });

  it('merges finalizers by value and owner references by uid', async () => {
    const owner = (uid: string): JsonObject => ({ apiVersion: 'v1', kind: 'A', name: uid, uid });
    const server = new WidgetServer();
    await server.update('other', widget(undefined, {}, { finalizers: ['x'], ownerReferences: [owner('1')] }));
    await server.apply('me', widget(undefined, {}, { finalizers: ['y'], ownerReferences: [owner('2')] }));
    expect(server.live?.['metadata']).toMatchObject({
      finalizers: ['x', 'y'],
      ownerReferences: [owner('1'), owner('2')],
    });
    await server.apply('me', widget(undefined));
    expect(server.live?.['metadata']).toMatchObject({ finalizers: ['x'], ownerReferences: [owner('1')] });
  });

  it('never owns server-managed fields or fields that the endpoint resets', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }, { status: { phase: 'x' } }, { uid: 'u' }), {
      resetFields: fieldSetOf([fieldKey('status')]),
    });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('adds no entry for a configuration without owned fields', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    await server.apply('me', widget(undefined));
    expect(server.live).toEqual(widget(undefined));
  });

  it('attributes untracked fields to before-first-apply', async () => {
    const server = new WidgetServer();
    server.live = widget({ color: 'red', size: 1 });
    const { message } = await statusErrorOf(server.apply('me', widget({ color: 'blue' })));
    expect(message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.com/v1: .spec.color',
    );
    await server.apply('me', widget({ color: 'blue' }), { force: true });
    expect(server.claims).toEqual({
      'me Apply': { 'f:spec': { 'f:color': {} } },
      'before-first-apply Update': { 'f:spec': { '.': {}, 'f:size': {} } },
    });
  });

  it('lists Apply entries before Update entries, then by time, then by name', async () => {
    const server = new WidgetServer();
    await server.update('z', widget({ color: 'red' }));
    server.nowMs += 1_000;
    await server.update('a', widget({ color: 'red', size: 1 }));
    server.nowMs += 1_000;
    await server.apply('y', widget({ tags: { a: '1' } }));
    await server.apply('b', widget({ tags: { b: '1' } }));
    expect(server.entries.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      'b Apply',
      'y Apply',
      'z Update',
      'a Update',
    ]);
  });

  it('changes neither the live object nor the configuration', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ items: [{ name: 'x' }] }));
    const config = Object.freeze(widget({ items: [{ name: 'y' }] }));
    const before = JSON.stringify(server.live);
    const live = server.live;
    await server.apply('b', config);
    expect(JSON.stringify(live)).toBe(before);
  });
});

describe('conflicts of applyConfiguration', () => {
  it('reports a conflict for one field of an Update manager', async () => {
    const server = new WidgetServer();
    await server.update('mgr', widget({ color: 'red' }));
    const error = await statusErrorOf(server.apply('me', widget({ color: 'blue' })));
    expect(error.toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "mgr" using example.com/v1: .spec.color',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "mgr" using example.com/v1', field: '.spec.color' },
        ],
      },
      code: 409,
    });
  });

  it('reports conflicts for several fields of several managers', async () => {
    const server = new WidgetServer();
    await server.apply('m1', widget({ size: 1, items: [{ name: 'a', v: '1' }] }));
    await server.update('m0', { ...(server.live as JsonObject), status: { phase: 'x' } }, { subresource: 'status' });
    const error = await statusErrorOf(
      server.apply('me', widget({ size: 2, items: [{ name: 'a', v: '2' }] }, { status: { phase: 'y' } })),
    );
    expect(error.message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "m0" with subresource "status" using example.com/v1:',
        '- .status.phase',
        'conflicts with "m1":',
        '- .spec.size',
        '- .spec.items[name="a"].v',
      ].join('\n'),
    );
    expect(error.details?.causes?.map(({ field }) => field)).toEqual([
      '.status.phase',
      '.spec.size',
      '.spec.items[name="a"].v',
    ]);
  });

  it('reports a conflict between Apply and Update of the same manager', async () => {
    const server = new WidgetServer();
    await server.update('me', widget({ color: 'red' }));
    const { message } = await statusErrorOf(server.apply('me', widget({ color: 'blue' })));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "me" using example.com/v1: .spec.color');
  });

  it('reports a conflict with the owner of an atomic container', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ point: { x: '1' }, lines: ['a'] }));
    const { message } = await statusErrorOf(server.apply('b', widget({ point: { y: '1' }, lines: ['b'] })));
    expect(message).toBe('Apply failed with 2 conflicts: conflicts with "a":\n- .spec.lines\n- .spec.point');
  });

  it('takes the fields from other managers with force', async () => {
    const server = new WidgetServer();
    await server.update('mgr', widget({ color: 'red', size: 1 }));
    await server.apply('me', widget({ color: 'blue' }), { force: true });
    expect(specOf(server.live)).toEqual({ color: 'blue', size: 1 });
    expect(server.claims).toEqual({
      'me Apply': { 'f:spec': { 'f:color': {} } },
      'mgr Update': { 'f:spec': { '.': {}, 'f:size': {} } },
    });
  });

  it('reports no conflict if the value is the same, including 1 and 1.0', async () => {
    const server = new WidgetServer();
    await server.update('mgr', widget({ size: 1, free: { big: 9_007_199_254_740_993n } }));
    await server.apply('me', widget({ size: JSON.parse('1.0') as number, free: { big: 9_007_199_254_740_993n } }));
    expect(Object.keys(server.claims)).toEqual(['me Apply', 'mgr Update']);
  });
});

describe('configurations that cannot be merged', () => {
  const prefix = 'failed to create typed patch object (d/w; example.com/v1, Kind=Widget): ';
  const rows: [string, JsonObject, string][] = [
    ['an undeclared field', { foo: 1 }, '.spec.foo: field not declared in schema'],
    ['a number for a string', { color: 1 }, '.spec.color: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'a map for a string',
      { color: { b: 'x' } },
      '.spec.color: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":"x"}}',
    ],
    ['a string for a number', { size: 'x' }, '.spec.size: expected numeric (int or float), got string'],
    ['a string for a boolean', { on: 'x' }, '.spec.on: expected boolean, got &{x}'],
    ['a string for a map', { door: 'x' }, '.spec.door: expected map, got &{x}'],
    ['a map for a list', { lines: { a: 1 } }, '.spec.lines: expected list, got &{map[a:1]}'],
    [
      'a number in a list of strings',
      { lines: ['a', 1] },
      '.spec.lines[1]: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'items with the same key',
      { items: [{ name: 'a' }, { name: 'a' }] },
      '.spec.items: duplicate entries for key [name="a"]',
    ],
    ['duplicate members of a set', { words: ['a', 'a'] }, '.spec.words: duplicate entries for key [="a"]'],
    [
      'an item without a key',
      { items: [{ v: '1' }] },
      '.spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
    [
      'a null item',
      { items: [null] },
      '.spec.items: element 0: associative list with keys may not have a null element',
    ],
    [
      'a string as an item',
      { items: ['a'] },
      '.spec.items: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'a map in a set',
      { words: [{}] },
      ".spec.words: element 0: associative list without keys has an element that's a map type",
    ],
    ['a hostile field', JSON.parse('{"__proto__":1}') as JsonObject, '.spec.__proto__: field not declared in schema'],
    [
      'two errors',
      { color: 1, size: 'x' },
      'errors:\n  .spec.color: expected string, got &value.valueUnstructured{Value:1}\n  .spec.size: expected numeric (int or float), got string',
    ],
  ];
  it.each(rows)('returns status 500 without a reason for a configuration with %s', async (_name, spec, text) => {
    const error = await statusErrorOf(new WidgetServer().apply('me', widget(spec)));
    expect([error.code, error.reason, error.message]).toEqual([500, '', prefix + text]);
  });

  it('rejects a configuration with metadata.managedFields', async () => {
    const error = await statusErrorOf(new WidgetServer().apply('me', widget({}, {}, { managedFields: [] })));
    expect([error.code, error.message]).toEqual([400, 'metadata.managedFields must be nil']);
  });

  it('rejects a configuration of another kind', async () => {
    const error = await statusErrorOf(new WidgetServer().apply('me', { ...widget({}), kind: 'Gadget' }));
    expect([error.code, error.message]).toEqual([400, 'invalid object type: example.com/v1, Kind=Gadget']);
    const missing = await statusErrorOf(new WidgetServer().apply('me', {}));
    expect(missing.message).toBe('invalid object type: /, Kind=');
  });

  it('fails if stored entries cannot be decoded', async () => {
    const server = new WidgetServer();
    server.live = widget({}, {}, { managedFields: [{ operation: 'x' }] as unknown as JsonObject });
    const error = await statusErrorOf(server.apply('me', widget({})));
    expect([error.code, error.message]).toEqual([
      500,
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    ]);
  });

  it('fails if the live object does not match its schema', async () => {
    const server = new WidgetServer();
    server.live = widget({ items: [{ v: '1' }] });
    const error = await statusErrorOf(server.apply('me', widget({ items: [{ name: 'a' }] })));
    expect(error.code).toBe(500);
    expect(error.message).toMatch(
      /^failed to create typed live object \(d\/w; example.com\/v1, Kind=Widget\): element 0: /,
    );
  });
});

describe('applying at another version', () => {
  const schema = {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      spec: { type: 'object', properties: { height: { type: 'integer' }, color: { type: 'string' } } },
    },
  } as const;
  const second = 'example.com/v2';

  /** Converts between v1 and v2: `size` of v1 is `height` of v2. */
  function convert(object: JsonObject, apiVersion: string): JsonObject {
    const { size, height, ...spec } = (object['spec'] ?? {}) as JsonObject;
    const name = apiVersion === second ? 'height' : 'size';
    const value = size ?? height;
    return { ...object, apiVersion, spec: value === undefined ? spec : { ...spec, [name]: value } };
  }
  const atSecond = {
    apiVersion: second,
    schema,
    versions: { schemaOf: (version: string) => (version === second ? schema : undefined), convert },
  };

  it('accepts any served apiVersion and records it in the entry', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    await server.apply('me', { ...widget({ color: 'red' }), apiVersion: second }, { apiVersion: second });
    expect(server.entries.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([['me', second]]);
  });

  it('prunes fields of the last configuration at the version of that configuration', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ size: 1, color: 'red' }));
    server.live = convert(server.live as JsonObject, second);
    const versions = { schemaOf: (version: string) => (version === second ? schema : widgetV1), convert };
    await server.apply('me', { ...widget({ color: 'red' }), apiVersion: second }, { ...atSecond, versions });
    expect(specOf(server.live)).toEqual({ color: 'red' });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('detects conflicts with managers at other versions', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ size: 1 }));
    server.live = convert(server.live as JsonObject, second);
    const versions = { schemaOf: (version: string) => (version === second ? schema : widgetV1), convert };
    const config = { ...widget({ height: 2 }), apiVersion: second };
    const { message } = await statusErrorOf(server.apply('b', config, { ...atSecond, versions }));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.size');
  });

  it('removes managers at versions that are no longer served', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ size: 1 }));
    server.live = convert(server.live as JsonObject, second);
    await server.apply('b', { ...widget({ height: 2 }), apiVersion: second }, atSecond);
    expect(Object.keys(server.claims)).toEqual(['b Apply']);
  });

  const widgetV1 = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } } },
  } as const;
});
