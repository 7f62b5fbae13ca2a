import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json/index.js';
import { compareObjects } from './compare.js';
import { rootFieldType } from './field-type.js';
import { mergeObjects } from './merge.js';
import { ownedFields } from './owned-fields.js';
import { reconcileWithSchema } from './reconcile-schema.js';
import { extractFields, removeFields } from './remove-fields.js';
import { widget, widgetSchema } from './testing/widget.js';

const type = rootFieldType(widgetSchema);

function ownedSpec(spec: JsonObject): unknown {
  return ownedFields({ spec }, type)['f:spec'];
}

describe('ownedFields', () => {
  const rows: [string, JsonObject, unknown][] = [
    ['scalars', { color: 'red', size: 1, port: '50%' }, { 'f:color': {}, 'f:port': {}, 'f:size': {} }],
    [
      'fields of structs, not the structs',
      { door: { lock: { key: 'k' } } },
      { 'f:door': { 'f:lock': { 'f:key': {} } } },
    ],
    ['an empty struct', { door: {} }, { 'f:door': {} }],
    ['an explicit null', { door: null, color: null }, { 'f:color': {}, 'f:door': {} }],
    ['entries of maps', { tags: { b: '1', a: '2' } }, { 'f:tags': { 'f:a': {}, 'f:b': {} } }],
    [
      'entries of maps of structs',
      { rooms: { a: { area: '1' } } },
      { 'f:rooms': { 'f:a': { '.': {}, 'f:area': {} } } },
    ],
    ['an atomic map as a whole', { point: { x: '1' } }, { 'f:point': {} }],
    ['a list without a type as a whole', { lines: ['a', 'b'] }, { 'f:lines': {} }],
    [
      'members of sets',
      { words: ['b', 'a'], numbers: [10, 9] },
      { 'f:numbers': { 'v:9': {}, 'v:10': {} }, 'f:words': { 'v:"a"': {}, 'v:"b"': {} } },
    ],
    ['nothing of an empty set', { words: [] }, undefined],
    [
      'items and their fields',
      { items: [{ name: 'a', v: '1' }] },
      { 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:v': {} } } },
    ],
    [
      'every level of untyped data, with lists as a whole',
      { free: { a: { b: 1 }, c: [{ d: 1 }] } },
      { 'f:free': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} } },
    ],
    [
      'metadata of an embedded resource',
      {
        template: {
          apiVersion: 'v1',
          kind: 'X',
          metadata: { finalizers: ['f'], labels: { a: 'b' } },
          data: { k: 'v' },
        },
      },
      {
        'f:template': {
          'f:apiVersion': {},
          'f:data': { '.': {}, 'f:k': {} },
          'f:kind': {},
          'f:metadata': { 'f:finalizers': { 'v:"f"': {} }, 'f:labels': { 'f:a': {} } },
        },
      },
    ],
    [
      'hostile names',
      { tags: JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject },
      { 'f:tags': { 'f:__proto__': {}, 'f:constructor': {} } },
    ],
  ];
  it.each(rows)('returns %s', (_name, spec, set) => {
    expect(ownedSpec(spec)).toEqual(set);
  });

  it('uses the defaults of list map keys, such as protocol TCP, in k:{…}', () => {
    expect(ownedSpec({ ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] })).toEqual({
      'f:ports': {
        'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
        'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
      },
    });
  });

  it('omits fields of owner references, which are atomic items', () => {
    const metadata = { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' }] };
    expect(ownedFields({ metadata }, type)).toEqual({ 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': {} } } });
  });
});

describe('compareObjects', () => {
  const rows: [string, JsonObject, JsonObject, Partial<Record<'added' | 'modified' | 'removed', unknown>>][] = [
    ['equal objects', { color: 'red', size: 1 }, { size: 1, color: 'red' }, {}],
    ['a changed scalar', { color: 'red' }, { color: 'blue' }, { modified: { 'f:color': {} } }],
    [
      'a new struct, itself included',
      {},
      { door: { width: '1' } },
      { added: { 'f:door': { '.': {}, 'f:width': {} } } },
    ],
    ['a removed struct', { door: { width: '1' } }, {}, { removed: { 'f:door': { '.': {}, 'f:width': {} } } }],
    ['an emptied struct', { door: { width: '1' } }, { door: {} }, { removed: { 'f:door': { 'f:width': {} } } }],
    ['null against empty', { door: {} }, { door: null }, { modified: { 'f:door': {} } }],
    ['an atomic map', { point: { x: '1' } }, { point: { x: '2' } }, { modified: { 'f:point': {} } }],
    ['an atomic list', { lines: ['a'] }, { lines: ['a', 'b'] }, { modified: { 'f:lines': {} } }],
    ['a set in another order', { words: ['a', 'b'] }, { words: ['b', 'a'] }, {}],
    [
      'members of a set',
      { words: ['a', 'b'] },
      { words: ['b', 'c'] },
      { added: { 'f:words': { 'v:"c"': {} } }, removed: { 'f:words': { 'v:"a"': {} } } },
    ],
    [
      'items by key',
      { items: [{ name: 'a', v: '1' }, { name: 'b' }] },
      { items: [{ name: 'b', v: '2' }, { name: 'c' }] },
      {
        added: { 'f:items': { 'k:{"name":"b"}': { 'f:v': {} }, 'k:{"name":"c"}': { '.': {}, 'f:name': {} } } },
        removed: { 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:v': {} } } },
      },
    ],
    [
      'an item that became a duplicate',
      { items: [{ name: 'a' }] },
      { items: [{ name: 'a' }, { name: 'a' }] },
      {
        added: { 'f:items': { 'k:{"name":"a"}': {} } },
        removed: { 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } },
      },
    ],
    [
      'untyped data that changed from a string to a map',
      { free: { a: 'x' } },
      { free: { a: { b: 1 } } },
      { added: { 'f:free': { 'f:a': { 'f:b': {} } } }, modified: { 'f:free': { 'f:a': {} } } },
    ],
    [
      'untyped data that changed from a map to a string',
      { free: { a: { b: 1 } } },
      { free: { a: 'x' } },
      { modified: { 'f:free': { 'f:a': {} } }, removed: { 'f:free': { 'f:a': { 'f:b': {} } } } },
    ],
    ['int-or-string that changed its type', { port: 1 }, { port: '1' }, { modified: { 'f:port': {} } }],
  ];
  it.each(rows)('reports %s', (_name, old, next, expected) => {
    const { added, modified, removed } = compareObjects({ spec: old }, { spec: next }, type);
    expect({ added: added['f:spec'], modified: modified['f:spec'], removed: removed['f:spec'] }).toEqual({
      added: undefined,
      modified: undefined,
      removed: undefined,
      ...expected,
    });
  });

  it('compares int64 exactly and treats 1.0 and 1 as equal', () => {
    const compare = (old: JsonValue, next: JsonValue) =>
      compareObjects({ spec: { free: { n: old } } }, { spec: { free: { n: next } } }, type);
    expect(compare(1, JSON.parse('1.0') as number).modified).toEqual({});
    expect(compare(9_007_199_254_740_993n, 9_007_199_254_740_993n).modified).toEqual({});
    expect(compare(9_007_199_254_740_993n, 9_007_199_254_740_992n).modified).toEqual({
      'f:spec': { 'f:free': { 'f:n': {} } },
    });
  });
});

describe('mergeObjects', () => {
  const rows: [string, JsonObject, JsonObject, JsonObject][] = [
    ['overwrites scalars', { color: 'red', size: 1 }, { color: 'blue' }, { color: 'blue', size: 1 }],
    [
      'merges structs and maps',
      { door: { width: '1' }, tags: { a: '1' } },
      { door: { lock: { key: 'k' } }, tags: { b: '2' } },
      { door: { width: '1', lock: { key: 'k' } }, tags: { a: '1', b: '2' } },
    ],
    [
      'replaces atomic containers',
      { point: { x: '1' }, lines: ['a'] },
      { point: { y: '2' }, lines: ['b'] },
      { point: { y: '2' }, lines: ['b'] },
    ],
    ['appends new members of a set', { words: ['c', 'a'] }, { words: ['b'] }, { words: ['c', 'a', 'b'] }],
    [
      'uses the order of the configuration for shared members',
      { words: ['a', 'b', 'c'] },
      { words: ['c', 'a'] },
      { words: ['b', 'c', 'a'] },
    ],
    [
      'inserts a new member before the shared member that follows it',
      { words: ['a', 'b', 'c'] },
      { words: ['x', 'c'] },
      { words: ['a', 'b', 'x', 'c'] },
    ],
    [
      'keeps the position of members that are only in the live list',
      { words: ['a', 'x', 'b'] },
      { words: ['b', 'a'] },
      { words: ['x', 'b', 'a'] },
    ],
    [
      'merges items by key',
      { items: [{ name: 'a', v: '1' }] },
      { items: [{ name: 'b' }, { name: 'a', w: '2' }] },
      { items: [{ name: 'b' }, { name: 'a', v: '1', w: '2' }] },
    ],
    [
      'keeps items when the configuration has an empty list or null',
      { items: [{ name: 'a' }], words: ['a'] },
      { items: [], words: null },
      { items: [{ name: 'a' }], words: ['a'] },
    ],
    ['sets an explicit null', { color: 'red' }, { color: null, door: null }, { color: null, door: null }],
    [
      'finds items by defaulted keys',
      { ports: [{ port: 80, protocol: 'TCP' }] },
      { ports: [{ port: 80, name: 'web' }] },
      { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] },
    ],
    [
      'changes the type of untyped data',
      { free: { a: 'x', b: { c: 1 } } },
      { free: { a: { d: 1 }, b: 'y' } },
      { free: { a: { d: 1 }, b: 'y' } },
    ],
  ];
  it.each(rows)('%s', (_name, live, config, merged) => {
    expect(mergeObjects({ spec: live }, { spec: config }, type)).toEqual({ spec: merged });
  });

  it('keeps hostile names as plain data', () => {
    const config = { spec: { tags: JSON.parse('{"__proto__":"1"}') as JsonObject } };
    const merged = mergeObjects({ spec: { tags: { a: '1' } } }, config, type);
    expect(JSON.stringify(merged)).toBe('{"spec":{"tags":{"a":"1","__proto__":"1"}}}');
  });
});

describe('removeFields and extractFields', () => {
  const object = widget({
    color: 'red',
    tags: { a: '1', b: '2' },
    items: [{ name: 'a', v: '1' }, { name: 'b' }],
    free: { x: { y: 1 } },
  });
  const set = {
    'f:spec': {
      'f:tags': { 'f:a': {} },
      'f:items': { 'k:{"name":"a"}': { 'f:v': {} }, 'k:{"name":"b"}': { '.': {}, 'f:name': {} } },
      'f:free': { 'f:x': { 'f:y': {} } },
    },
  };

  it('removes fields and whole items and keeps emptied containers', () => {
    expect(removeFields(object, set, type, 'empty')).toEqual(
      widget({ color: 'red', tags: { b: '2' }, items: [{ name: 'a' }], free: { x: {} } }),
    );
  });

  it('sets emptied containers to null on request', () => {
    const emptied = removeFields(
      widget({ tags: { a: '1' }, words: ['a'] }),
      { 'f:spec': { 'f:tags': { 'f:a': {} }, 'f:words': { 'v:"a"': {} } } },
      type,
      'null',
    );
    expect(emptied).toEqual(widget({ tags: null, words: null }));
  });

  it('extracts the fields of the set', () => {
    expect(extractFields(object, set, type)).toEqual({
      spec: { tags: { a: '1' }, items: [{ v: '1' }, { name: 'b' }], free: { x: { y: 1 } } },
    });
  });
});

describe('reconcileWithSchema', () => {
  it('converts ownership of parts of a container that became atomic to ownership of the whole', () => {
    const set = {
      'f:spec': {
        'f:point': { '.': {}, 'f:x': {} },
        'f:lines': { 'v:"a"': {} },
        'f:color': {},
        'f:unknown': { 'f:x': {} },
      },
    };
    expect(reconcileWithSchema(set, type)).toEqual({
      'f:spec': { 'f:point': {}, 'f:lines': {}, 'f:color': {}, 'f:unknown': { 'f:x': {} } },
    });
    expect(reconcileWithSchema(set, type)).toBe(reconcileWithSchema(set, type));
  });
});
