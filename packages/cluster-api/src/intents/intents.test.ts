import { describe, expect, it } from 'vitest';
import { coversIntent } from './covers.js';
import { fingerprintOf, IntentCache } from './intent-cache.js';
import { withoutMetadata } from './release-metadata.js';

describe('coversIntent', () => {
  const rows = [
    { name: 'the same', actual: { a: [1, { b: 2 }] }, wanted: { a: [1, { b: 2 }] }, then: true },
    { name: 'what the server filled in', actual: { a: { b: 1, c: 2 } }, wanted: { a: { b: 1 } }, then: true },
    { name: 'items that others added', actual: ['x', 'y', 'z'], wanted: ['z', 'x'], then: true },
    { name: 'an item that lacks something', actual: [{ k: 1 }], wanted: [{ k: 1, v: 2 }], then: false },
    { name: 'another value', actual: { a: 1 }, wanted: { a: 2 }, then: false },
    { name: 'a member that is missing', actual: {}, wanted: { a: { b: 1 } }, then: false },
    { name: 'what says nothing', actual: {}, wanted: { a: {}, b: [] }, then: true },
    { name: 'an object for a list', actual: {}, wanted: [], then: false },
  ];
  it.each(rows)('$name: $then', ({ actual, wanted, then }) => {
    expect(coversIntent(actual, wanted)).toBe(then);
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

  it('takes labels and annotations, and leaves the rest', () => {
    const given = [
      entry('manager', { 'f:metadata': { ...labels, 'f:annotations': {}, 'f:ownerReferences': {} }, 'f:spec': {} }),
      entry('other', { 'f:metadata': labels }),
    ];
    expect(withoutMetadata(given, former)).toEqual([
      entry('manager', { 'f:metadata': { 'f:ownerReferences': {} }, 'f:spec': {} }),
      entry('other', { 'f:metadata': labels }),
    ]);
  });

  it('drops who has nothing left', () => {
    expect(withoutMetadata([entry('manager', { 'f:metadata': labels })], former)).toEqual([]);
  });

  it('says when there is nothing to do', () => {
    expect(withoutMetadata([entry('manager', { 'f:spec': {} }), entry('other', {})], former)).toBeUndefined();
  });
});
