import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson, deepFreeze, parseJsonValue, stringifyJson } from '../json/index.js';
import type { MutableJson } from '../json/index.js';
import { applyJsonPatch, decodeJsonPatch, type JsonPatchOperation } from './json-patch.js';

const apply = (document: unknown, patch: unknown): unknown =>
  applyJsonPatch(cloneJson(document) as MutableJson, decodeJsonPatch(deepFreeze(patch)));

const escapeStep = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

describe('applyJsonPatch', () => {
  const rows: { name: string; document: unknown; patch: JsonPatchOperation[]; result: unknown }[] = [
    { name: 'adds a key', document: { a: 1 }, patch: [{ op: 'add', path: '/b', value: 2 }], result: { a: 1, b: 2 } },
    {
      name: 'adds with RFC 6901 escapes',
      document: { m: {} },
      patch: [{ op: 'add', path: '/m/a~1b~0c~01', value: 1 }],
      result: { m: { 'a/b~c~1': 1 } },
    },
    {
      name: 'inserts into a list',
      document: { a: [1, 3] },
      patch: [{ op: 'add', path: '/a/1', value: 2 }],
      result: { a: [1, 2, 3] },
    },
    {
      name: 'appends at - and at the length',
      document: { a: [1] },
      patch: [
        { op: 'add', path: '/a/-', value: 2 },
        { op: 'add', path: '/a/2', value: 3 },
      ],
      result: { a: [1, 2, 3] },
    },
    {
      name: 'accepts negative indices',
      document: { a: [1, 2] },
      patch: [
        { op: 'replace', path: '/a/-1', value: 9 },
        { op: 'add', path: '/a/-1', value: 3 },
      ],
      result: { a: [1, 9, 3] },
    },
    {
      name: 'removes a key and an item',
      document: { a: [1, 2], b: 1 },
      patch: [
        { op: 'remove', path: '/b' },
        { op: 'remove', path: '/a/0' },
      ],
      result: { a: [2] },
    },
    {
      name: 'replaces, and creates absent keys like upstream',
      document: { a: 1 },
      patch: [
        { op: 'replace', path: '/a', value: 2 },
        { op: 'replace', path: '/b', value: 3 },
      ],
      result: { a: 2, b: 3 },
    },
    {
      name: 'replaces the root',
      document: { a: 1 },
      patch: [{ op: 'replace', path: '', value: { b: 1 } }],
      result: { b: 1 },
    },
    {
      name: 'moves',
      document: { a: { x: 1 }, b: {} },
      patch: [{ op: 'move', from: '/a/x', path: '/b/y' }],
      result: { a: {}, b: { y: 1 } },
    },
    {
      name: 'copies by value',
      document: { a: { x: [] } },
      patch: [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/x/-', value: 1 },
      ],
      result: { a: { x: [] }, b: { x: [1] } },
    },
    {
      name: 'tests deep equality, with numbers compared by value',
      document: { a: { b: [1, { c: 2 }] } },
      patch: [{ op: 'test', path: '/a', value: { b: [1.0, { c: 2 }] } }],
      result: { a: { b: [1, { c: 2 }] } },
    },
    {
      name: 'treats a missing value as null in tests',
      document: {},
      patch: [
        { op: 'test', path: '/a' },
        { op: 'add', path: '/b' },
      ],
      result: { b: null },
    },
  ];
  it.each(rows)('$name', ({ document, patch, result }) => {
    expect(apply(document, patch)).toEqual(result);
  });

  const failures: { name: string; document?: unknown; patch: unknown; outcome: string; message: string }[] = [
    {
      name: 'a patch that is not a list',
      patch: {},
      outcome: 'malformed',
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    },
    {
      name: 'a missing operation',
      patch: ['x'],
      outcome: 'malformed',
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
    },
    {
      name: 'a path that is not a string',
      patch: [{ op: 'add', path: 1 }],
      outcome: 'malformed',
      message:
        'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    },
    {
      name: 'too many operations',
      patch: Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a' })),
      outcome: 'tooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    },
    {
      name: 'an unknown operation',
      patch: [{ op: 'jump', path: '/a' }],
      outcome: 'failed',
      message: 'Unexpected kind: jump',
    },
    { name: 'an operation without a name', patch: [{}], outcome: 'failed', message: 'Unexpected kind: unknown' },
    {
      name: 'a failing test',
      document: { a: 1 },
      patch: [{ op: 'test', path: '/a', value: 2 }],
      outcome: 'failed',
      message: 'testing value /a failed: test failed',
    },
    {
      name: 'removing an absent key',
      patch: [{ op: 'remove', path: '/a' }],
      outcome: 'failed',
      message: 'Unable to remove nonexistent key: a: missing value',
    },
    {
      name: 'a path with an absent parent',
      patch: [{ op: 'add', path: '/a/b', value: 1 }],
      outcome: 'failed',
      message: 'add operation does not apply: doc is missing path: "/a/b": missing value',
    },
    {
      name: 'adding to the root',
      patch: [{ op: 'add', path: '', value: {} }],
      outcome: 'failed',
      message: 'add operation does not apply: doc is missing path: "": missing value',
    },
    {
      name: 'an index beyond the end',
      document: { a: [1] },
      patch: [{ op: 'add', path: '/a/3', value: 1 }],
      outcome: 'failed',
      message: 'Unable to access invalid index: 3: invalid index referenced',
    },
    {
      name: 'an index that is not a number',
      document: { a: [1] },
      patch: [{ op: 'remove', path: '/a/x' }],
      outcome: 'failed',
      message: 'Unable to access invalid index: x: invalid index referenced',
    },
    {
      name: 'moving into itself',
      document: { a: { b: 1 } },
      patch: [{ op: 'move', from: '/a', path: '/a/b' }],
      outcome: 'failed',
      message: 'move operation does not apply: doc is missing destination path: "/a/b": missing value',
    },
    {
      name: 'names of inherited members',
      patch: [{ op: 'add', path: '/constructor/prototype', value: 1 }],
      outcome: 'failed',
      message: 'add operation does not apply: doc is missing path: "/constructor/prototype": missing value',
    },
  ];
  it.each(failures)('rejects $name', ({ document, patch, outcome, message }) => {
    expect(() => apply(document ?? {}, patch)).toThrow(
      expect.objectContaining({ name: 'PatchError', outcome, message }),
    );
  });

  it('returns no more details than upstream for a patch that does not apply', () => {
    expect.assertions(1);
    try {
      apply({}, [{ op: 'remove', path: '/a' }]);
    } catch (error) {
      const status = (error as { toStatusError(): { toStatus(): unknown } }).toStatusError().toStatus();
      // oxlint-disable-next-line vitest/no-conditional-expect -- guarded by expect.assertions
      expect(status).toMatchObject({
        code: 422,
        reason: 'Invalid',
        details: {},
        message: 'the server rejected our request due to an error in our request',
      });
    }
  });

  it('treats __proto__ as an ordinary key', () => {
    const result = apply(parseJsonValue('{"a":{}}'), [{ op: 'add', path: '/a/__proto__', value: { polluted: true } }]);
    expect(stringifyJson(result)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('limits copies of a value into itself', () => {
    const nesting = Array.from({ length: 1_100 }, () => ({ op: 'copy', from: '/a', path: '/a/a' }));
    expect(() => apply({ a: { x: 1 } }, nesting)).toThrow('exceeded max depth');
    const widening = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '/a', path: `/a/${index}` }));
    expect(() => apply({ a: { x: 'x'.repeat(1000) } }, widening)).toThrow('exceeding the limit');
  });

  it('changes nothing when a value is moved there and back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.string(), (object, other) => {
        const document = parseJsonValue(JSON.stringify(object)) as Record<string, MutableJson>;
        const key = Object.keys(document)[0] ?? '';
        fc.pre(!Object.hasOwn(document, other));
        const from = `/${escapeStep(key)}`;
        const to = `/${escapeStep(other)}`;
        const there = { op: 'move', from, path: to };
        const back = { op: 'move', from: to, path: from };
        expect(apply(document, [there, back, { op: 'test', path: '', value: document }])).toEqual(document);
      }),
    );
  });
});
