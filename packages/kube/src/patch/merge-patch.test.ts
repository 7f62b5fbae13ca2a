import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cloneJson,
  deepEqual,
  deepFreeze,
  type JsonObject,
  type MutableJsonObject,
  parseJsonValue,
  stringifyJson,
} from '../json/index.js';
import { applyMergePatch, createMergePatch, decodeMergePatch } from './merge-patch.js';

const apply = (document: unknown, patch: unknown): unknown =>
  applyMergePatch(cloneJson(document) as MutableJsonObject, decodeMergePatch(deepFreeze(patch)));

const anyObject = fc
  .dictionary(
    fc.string({ maxLength: 3 }),
    fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.array(fc.integer()),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    })).value,
  )
  .map((value) => parseJsonValue(JSON.stringify(value)) as MutableJsonObject);

describe('applyMergePatch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, { a: { b: null, c: 2 } }, { a: { c: 2 } }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { constructor: null, toString: { x: 1 } }, { toString: { x: 1 } }],
  ])('patches %j with %j to %j', (document, patch, result) => {
    expect(apply(document, patch)).toEqual(result);
  });

  it('rejects a patch that is not an object', () => {
    expect(() => decodeMergePatch([])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expect(() => decodeMergePatch(null)).toThrow('Invalid JSON Patch');
  });

  it('treats __proto__ as an ordinary key', () => {
    const result = apply({}, parseJsonValue('{"__proto__":{"polluted":1}}'));
    expect(stringifyJson(result)).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (document, patch) => {
        const once = apply(document, patch);
        expect(deepEqual(apply(once, patch), once)).toBe(true);
      }),
    );
  });
});

describe('applyMergePatch to a document with frozen parts', () => {
  it('copies the frozen members that the patch changes and shares the others', () => {
    const stored = deepFreeze({ spec: { a: { b: 1 }, list: [1] }, status: { c: 1 } });
    const patched = applyMergePatch({ ...stored } as never, { spec: { a: { b: 2 } } });
    expect(patched).toEqual({ spec: { a: { b: 2 }, list: [1] }, status: { c: 1 } });
    expect(stored.spec.a.b).toBe(1);
    expect(patched['status']).toBe(stored.status);
    expect((patched['spec'] as { list: unknown }).list).toBe(stored.spec.list);
  });
});

describe('createMergePatch', () => {
  it('returns a patch from one document to the other, which is empty for equal documents', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (from, to) => {
        expect(deepEqual(apply(from, createMergePatch(from, to)), to)).toBe(true);
        expect(createMergePatch(from, cloneJson(from) as JsonObject)).toEqual({});
      }),
    );
  });
  it('contains only changed fields', () => {
    expect(createMergePatch({ a: { b: 1, c: 2 }, d: [1] }, { a: { b: 1, c: 3 }, e: 1 })).toEqual({
      a: { c: 3 },
      d: null,
      e: 1,
    });
  });
});
