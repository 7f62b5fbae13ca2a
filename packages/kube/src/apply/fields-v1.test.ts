import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../json/index.js';
import { formatFieldPaths } from './field-path.js';
import { fieldSetOf } from './field-set.js';
import { decodeFieldsV1, isUnreadable } from './fields-v1.js';
import { itemKey, valueKey } from './path-key.js';

describe('FieldsV1', () => {
  const readable: [string, unknown, unknown][] = [
    ['nothing', undefined, {}],
    ['an empty object', {}, {}],
    [
      'nested and top-level members',
      { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} } },
      { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} } },
    ],
    ['a dot at the root, which has no meaning', { '.': {}, 'f:a': {} }, { 'f:a': {} }],
    ['a single dot, which equals an empty object', { 'f:a': { '.': {} } }, { 'f:a': {} }],
    ['null for an empty object', { 'f:a': null }, { 'f:a': {} }],
    ['unknown element types', { 'x:a': {}, 'f:b': { 'z:c': {} } }, { 'f:b': {} }],
    ['keys in another JSON format', { 'k:{"b":2, "a": 1}': {}, 'v: "x"': {} }, { 'k:{"a":1,"b":2}': {}, 'v:"x"': {} }],
    ['64-bit keys', { 'k:{"id":9007199254740993}': {} }, { 'k:{"id":9007199254740993}': {} }],
    ['indexes', { 'i:3': {} }, { 'i:3': {} }],
    ['hostile names', { 'f:__proto__': { 'f:constructor': {} } }, { 'f:__proto__': { 'f:constructor': {} } }],
  ];
  it.each(readable)('decodes %s', (_name, fields, set) => {
    expect(decodeFieldsV1(fields)).toEqual(set);
  });

  const unreadable: [string, unknown][] = [
    ['a list', []],
    ['a string', 'f:a'],
    ['a key without a colon', { foo: {} }],
    ['a key of one character', { f: {} }],
    ['a hostile key', JSON.parse('{"__proto__":{}}')],
    ['a malformed value', { 'v:{': {} }],
    ['a malformed item key', { 'k:[1]': {} }],
    ['an index that is not a number', { 'i:x': {} }],
    ['a member that is not an object', { 'f:a': 1 }],
  ];
  it.each(unreadable)('rejects %s', (_name, fields) => {
    let thrown: unknown;
    try {
      decodeFieldsV1(fields);
    } catch (error) {
      thrown = error;
    }
    expect(isUnreadable(thrown)).toBe(true);
  });

  it('sorts fields, items by key, values and indices', () => {
    const set = decodeFieldsV1({
      'i:1': {},
      'v:"b"': {},
      'v:true': {},
      'v:10': {},
      'v:9': {},
      'k:{"port":443,"protocol":"TCP"}': {},
      'k:{"port":80,"protocol":"UDP"}': {},
      'k:{"port":80,"protocol":"TCP"}': {},
      'f:b': {},
      'f:\u{1f600}': {},
      'f:\uff61': {},
      'f:a': {},
    });
    expect(Object.keys(set)).toEqual([
      'f:a',
      'f:b',
      'f:\uff61',
      'f:\u{1f600}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":80,"protocol":"UDP"}',
      'k:{"port":443,"protocol":"TCP"}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:1',
    ]);
  });

  it('decodes a frozen entry once', () => {
    const fields = deepFreeze({ 'f:a': { 'f:b': {} } });
    expect(decodeFieldsV1(fields)).toBe(fields);
    const loose = deepFreeze({ 'f:a': { '.': {} } });
    expect(decodeFieldsV1(loose)).toBe(decodeFieldsV1(loose));
  });

  it('round-trips through JSON', () => {
    const element = fc.oneof(
      fc.string().map((name) => `f:${name}`),
      fc.oneof(fc.string(), fc.integer(), fc.boolean()).map((value) => valueKey(value)),
      fc.string().map((name) => itemKey([['name', name]])),
    );
    const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(paths, (all) => {
        const set = fieldSetOf(...all);
        const read = decodeFieldsV1(JSON.parse(JSON.stringify(set)));
        expect(read).toEqual(set);
        expect(formatFieldPaths(read)).toEqual(formatFieldPaths(set));
      }),
    );
  });
});

describe('field paths', () => {
  const rows: [string[], string][] = [
    [['f:spec', 'f:items', itemKey([['name', 'a']]), 'f:v'], '.spec.items[name="a"].v'],
    [['f:data', 'f:a'], '.data.a'],
    [['f:metadata', 'f:finalizers', valueKey('x')], '.metadata.finalizers[="x"]'],
    [['f:ports', 'k:{"port":80,"protocol":"TCP"}'], '.ports[port=80,protocol="TCP"]'],
    [['f:numbers', valueKey(1.5)], '.numbers[=1.5]'],
    [['f:lines', 'i:2'], '.lines[2]'],
    [['f:words', valueKey('a"\n\u0001é')], '.words[="a\\"\\n\\x01é"]'],
    [['f:metadata', 'f:labels', 'f:a.b/c'], '.metadata.labels.a.b/c'],
  ];
  it.each(rows)('formats %j as in conflict messages', (path, text) => {
    expect(formatFieldPaths(fieldSetOf(path))).toEqual([text]);
  });

  it('escapes item keys like Go', () => {
    expect(itemKey([['name', '<a&b>\b\u2028"']])).toBe('k:{"name":"\\u003ca\\u0026b\\u003e\\u0008\\u2028\\""}');
  });
});
