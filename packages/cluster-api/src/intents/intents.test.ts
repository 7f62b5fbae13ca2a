import { describe, expect, it } from 'vitest';
import { coversIntent } from './covers.js';
import { fingerprintOf, IntentCache } from './intent-cache.js';
import { withoutMetadata } from './release-metadata.js';

describe('coversIntent', () => {
  const rows = [
    { name: 'the same', actual: { a: [1, { b: 2 }] }, desired: { a: [1, { b: 2 }] }, then: true },
    { name: 'fields with server-side defaults', actual: { a: { b: 1, c: 2 } }, desired: { a: { b: 1 } }, then: true },
    { name: 'list items of other managers', actual: ['x', 'y', 'z'], desired: ['z', 'x'], then: true },
    { name: 'a list item without a field', actual: [{ k: 1 }], desired: [{ k: 1, v: 2 }], then: false },
    { name: 'another value', actual: { a: 1 }, desired: { a: 2 }, then: false },
    { name: 'a missing field', actual: {}, desired: { a: { b: 1 } }, then: false },
    { name: 'empty values', actual: {}, desired: { a: {}, b: [] }, then: true },
    { name: 'an object instead of a list', actual: {}, desired: [], then: false },
  ];
  it.each(rows)('$name: $then', ({ actual, desired, then }) => {
    expect(coversIntent(actual, desired)).toBe(then);
  });
});

describe('IntentCache', () => {
  it('caches the last intent by field manager and object', () => {
    const cache = new IntentCache();
    const [first, second] = [fingerprintOf({ a: 1 }), fingerprintOf({ a: 2 })];
    cache.note('uid', 'manager', first);
    expect(cache.isLast('uid', 'manager', first)).toBe(true);
    expect(cache.isLast('uid', 'other', first)).toBe(false);
    expect(cache.isLast('other', 'manager', first)).toBe(false);
    cache.note('uid', 'manager', second);
    expect(cache.isLast('uid', 'manager', first)).toBe(false);
  });
});

describe('withoutMetadata', () => {
  const former = [{ manager: 'manager', operation: 'Update' }] as const;
  const entry = (manager: string, fieldsV1: object): { [key: string]: never } =>
    ({ manager, operation: 'Update', fieldsV1 }) as never;
  const labels = { 'f:labels': { 'f:team': {} } };

  it('removes labels and annotations, and keeps other fields', () => {
    const given = [
      entry('manager', { 'f:metadata': { ...labels, 'f:annotations': {}, 'f:ownerReferences': {} }, 'f:spec': {} }),
      entry('other', { 'f:metadata': labels }),
    ];
    expect(withoutMetadata(given, former)).toEqual([
      entry('manager', { 'f:metadata': { 'f:ownerReferences': {} }, 'f:spec': {} }),
      entry('other', { 'f:metadata': labels }),
    ]);
  });

  it('removes a manager without other fields', () => {
    expect(withoutMetadata([entry('manager', { 'f:metadata': labels })], former)).toEqual([]);
  });

  it('returns undefined if nothing must change', () => {
    expect(withoutMetadata([entry('manager', { 'f:spec': {} }), entry('other', {})], former)).toBeUndefined();
  });
});
