import type { JsonValue } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { covers } from './covers.js';

describe('covers', () => {
  const rows: readonly { name: string; actual: JsonValue; desired: JsonValue; expected: boolean }[] = [
    { name: 'equal values', actual: { a: [1, { b: null }] }, desired: { a: [1, { b: null }] }, expected: true },
    {
      name: 'members that another client added',
      actual: { a: { b: 1, c: 2 }, d: 3 },
      desired: { a: { b: 1 } },
      expected: true,
    },
    { name: 'a missing member', actual: { a: {} }, desired: { a: { b: 1 } }, expected: false },
    { name: 'a different value', actual: { a: 1 }, desired: { a: 2 }, expected: false },
    { name: 'items that another client added', actual: { a: [1, 2] }, desired: { a: [1] }, expected: false },
    { name: 'items in another order', actual: [1, 2], desired: [2, 1], expected: false },
    { name: 'a list instead of an object', actual: [], desired: {}, expected: false },
    { name: 'inherited members', actual: {}, desired: { constructor: {} }, expected: false },
  ];
  it.each(rows)('returns $expected for $name', ({ actual, desired, expected }) => {
    expect(covers(actual, desired)).toBe(expected);
  });
});
