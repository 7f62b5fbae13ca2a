import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors/index.js';
import type { JsonObject } from '../json/index.js';
import { fieldSetOf } from './field-set.js';
import { sameExceptManagedFieldTimes } from './no-op.js';
import { fieldKey } from './path-key.js';
import { widget, WidgetServer } from './testing/widget.js';

async function refusal(attempt: Promise<unknown>): Promise<StatusError> {
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

describe('applying', () => {
  it('creates the object, and claims what the configuration holds', async () => {
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

  it('managedFields time is preserved when nothing changed, so repeated apply is a true no-op', async () => {
    const server = new WidgetServer();
    const config = widget({ color: 'red', words: ['a', 'b'], free: { x: { y: [1] } } });
    const first = await server.apply('me', config);
    server.nowMs += 60_000;
    const second = await server.apply('me', config);
    expect(second).toEqual(first);
    expect(sameExceptManagedFieldTimes(first, second)).toBe(true);
  });

  it('after an apply, schema defaults are owned by nobody (only what the applied config holds is owned)', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    server.live = { ...(server.live as JsonObject), spec: { color: 'red', size: 3 } };
    await server.apply('me', widget({ color: 'blue' }));
    expect(specOf(server.live)).toEqual({ color: 'blue', size: 3 });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('deletes dropped fields that nobody else owns', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red', size: 1, door: { lock: { key: 'k' } } }));
    await server.apply('me', widget({ color: 'red' }));
    expect(server.live).toEqual(
      widget({ color: 'red' }, {}, { managedFields: server.entries as unknown as JsonObject }),
    );
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('drops only the ownership of a dropped field that another manager owns', async () => {
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

  it('SSA: dropping an owned list-map item deletes only the parts nobody else owns; ownership sets are per subresource', async () => {
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

  it('the same value applied by two managers is shared without a conflict', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ color: 'red' }));
    await server.apply('b', widget({ color: 'red' }));
    expect(server.claims).toEqual({
      'a Apply': { 'f:spec': { 'f:color': {} } },
      'b Apply': { 'f:spec': { 'f:color': {} } },
    });
    const { message } = await refusal(server.apply('a', widget({ color: 'blue' })));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "b": .spec.color');
  });

  it('replaces a member of a set as removal and addition', async () => {
    const server = new WidgetServer();
    await server.update('other', widget({ words: ['keep'] }));
    await server.apply('me', widget({ words: ['a', 'b'] }));
    await server.apply('me', widget({ words: ['c'] }));
    expect(specOf(server.live)).toEqual({ words: ['keep', 'c'] });
  });

  it('finalizers and owner references merge by value and by uid', async () => {
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

  it('never owns the server’s fields, nor what the endpoint resets', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }, { status: { phase: 'x' } }, { uid: 'u' }), {
      resetFields: fieldSetOf([fieldKey('status')]),
    });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('leaves no entry when the configuration claims nothing', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    await server.apply('me', widget(undefined));
    expect(server.live).toEqual(widget(undefined));
  });

  it('attributes what was not tracked to before-first-apply', async () => {
    const server = new WidgetServer();
    server.live = widget({ color: 'red', size: 1 });
    const { message } = await refusal(server.apply('me', widget({ color: 'blue' })));
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

  it('does not change the live object nor the configuration', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ items: [{ name: 'x' }] }));
    const config = Object.freeze(widget({ items: [{ name: 'y' }] }));
    const before = JSON.stringify(server.live);
    const live = server.live;
    await server.apply('b', config);
    expect(JSON.stringify(live)).toBe(before);
  });
});

describe('conflicts', () => {
  it('with one field of an Update manager', async () => {
    const server = new WidgetServer();
    await server.update('mgr', widget({ color: 'red' }));
    const error = await refusal(server.apply('me', widget({ color: 'blue' })));
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

  it('with several fields of several managers', async () => {
    const server = new WidgetServer();
    await server.apply('m1', widget({ size: 1, items: [{ name: 'a', v: '1' }] }));
    await server.update('m0', { ...(server.live as JsonObject), status: { phase: 'x' } }, { subresource: 'status' });
    const error = await refusal(
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

  it('with itself, when the same manager had used Update', async () => {
    const server = new WidgetServer();
    await server.update('me', widget({ color: 'red' }));
    const { message } = await refusal(server.apply('me', widget({ color: 'blue' })));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "me" using example.com/v1: .spec.color');
  });

  it('with the owner of an atomic container', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ point: { x: '1' }, lines: ['a'] }));
    const { message } = await refusal(server.apply('b', widget({ point: { y: '1' }, lines: ['b'] })));
    expect(message).toBe('Apply failed with 2 conflicts: conflicts with "a":\n- .spec.lines\n- .spec.point');
  });

  it('are settled by force, which takes the fields from the others', async () => {
    const server = new WidgetServer();
    await server.update('mgr', widget({ color: 'red', size: 1 }));
    await server.apply('me', widget({ color: 'blue' }), { force: true });
    expect(specOf(server.live)).toEqual({ color: 'blue', size: 1 });
    expect(server.claims).toEqual({
      'me Apply': { 'f:spec': { 'f:color': {} } },
      'mgr Update': { 'f:spec': { '.': {}, 'f:size': {} } },
    });
  });

  it('do not arise when the value is the same, 1 and 1.0 included', async () => {
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
    ['a number for a text', { color: 1 }, '.spec.color: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'a map for a text',
      { color: { b: 'x' } },
      '.spec.color: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":"x"}}',
    ],
    ['a text for a number', { size: 'x' }, '.spec.size: expected numeric (int or float), got string'],
    ['a text for a boolean', { on: 'x' }, '.spec.on: expected boolean, got &{x}'],
    ['a text for a map', { door: 'x' }, '.spec.door: expected map, got &{x}'],
    ['a map for a list', { lines: { a: 1 } }, '.spec.lines: expected list, got &{map[a:1]}'],
    [
      'a number in a list of texts',
      { lines: ['a', 1] },
      '.spec.lines[1]: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'items with the same key',
      { items: [{ name: 'a' }, { name: 'a' }] },
      '.spec.items: duplicate entries for key [name="a"]',
    ],
    ['members of a set with the same value', { words: ['a', 'a'] }, '.spec.words: duplicate entries for key [="a"]'],
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
      'a text as an item',
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
      'two mistakes',
      { color: 1, size: 'x' },
      'errors:\n  .spec.color: expected string, got &value.valueUnstructured{Value:1}\n  .spec.size: expected numeric (int or float), got string',
    ],
  ];
  it.each(rows)('%s: a 500 without a reason', async (_name, spec, text) => {
    const error = await refusal(new WidgetServer().apply('me', widget(spec)));
    expect([error.code, error.reason, error.message]).toEqual([500, '', prefix + text]);
  });

  it('metadata.managedFields', async () => {
    const error = await refusal(new WidgetServer().apply('me', widget({}, {}, { managedFields: [] })));
    expect([error.code, error.message]).toEqual([400, 'metadata.managedFields must be nil']);
  });

  it('another kind', async () => {
    const error = await refusal(new WidgetServer().apply('me', { ...widget({}), kind: 'Gadget' }));
    expect([error.code, error.message]).toEqual([400, 'invalid object type: example.com/v1, Kind=Gadget']);
    const missing = await refusal(new WidgetServer().apply('me', {}));
    expect(missing.message).toBe('invalid object type: /, Kind=');
  });

  it('stored entries nobody can read', async () => {
    const server = new WidgetServer();
    server.live = widget({}, {}, { managedFields: [{ operation: 'x' }] as unknown as JsonObject });
    const error = await refusal(server.apply('me', widget({})));
    expect([error.code, error.message]).toEqual([
      500,
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    ]);
  });

  it('a live object that does not fit its schema', async () => {
    const server = new WidgetServer();
    server.live = widget({ items: [{ v: '1' }] });
    const error = await refusal(server.apply('me', widget({ items: [{ name: 'a' }] })));
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

  /** v1 calls `size` what v2 calls `height`. */
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

  it('Apply with a stale apiVersion works if served; the entry’s apiVersion becomes that version', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ color: 'red' }));
    await server.apply('me', { ...widget({ color: 'red' }), apiVersion: second }, { apiVersion: second });
    expect(server.entries.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([['me', second]]);
  });

  it('prunes what the last configuration held, in the words of its version', async () => {
    const server = new WidgetServer();
    await server.apply('me', widget({ size: 1, color: 'red' }));
    server.live = convert(server.live as JsonObject, second);
    const versions = { schemaOf: (version: string) => (version === second ? schema : widgetV1), convert };
    await server.apply('me', { ...widget({ color: 'red' }), apiVersion: second }, { ...atSecond, versions });
    expect(specOf(server.live)).toEqual({ color: 'red' });
    expect(server.claims).toEqual({ 'me Apply': { 'f:spec': { 'f:color': {} } } });
  });

  it('finds conflicts with managers of other versions', async () => {
    const server = new WidgetServer();
    await server.apply('a', widget({ size: 1 }));
    server.live = convert(server.live as JsonObject, second);
    const versions = { schemaOf: (version: string) => (version === second ? schema : widgetV1), convert };
    const config = { ...widget({ height: 2 }), apiVersion: second };
    const { message } = await refusal(server.apply('b', config, { ...atSecond, versions }));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.size');
  });

  it('forgets managers at versions that are no longer served', async () => {
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
