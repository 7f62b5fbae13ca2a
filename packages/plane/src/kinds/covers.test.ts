import type { JsonValue } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { covers } from './covers.js';

describe('covers', () => {
  const rows: readonly { name: string; actual: JsonValue; wanted: JsonValue; then: boolean }[] = [
    { name: 'the same', actual: { a: [1, { b: null }] }, wanted: { a: [1, { b: null }] }, then: true },
    {
      name: 'members that another client added',
      actual: { a: { b: 1, c: 2 }, d: 3 },
      wanted: { a: { b: 1 } },
      then: true,
    },
    { name: 'a member that is missing', actual: { a: {} }, wanted: { a: { b: 1 } }, then: false },
    { name: 'another value', actual: { a: 1 }, wanted: { a: 2 }, then: false },
    { name: 'items that another client added', actual: { a: [1, 2] }, wanted: { a: [1] }, then: false },
    { name: 'items in another order', actual: [1, 2], wanted: [2, 1], then: false },
    { name: 'a list for an object', actual: [], wanted: {}, then: false },
    { name: 'inherited members', actual: {}, wanted: { constructor: {} }, then: false },
  ];
  it.each(rows)('$name: $then', ({ actual, wanted, then }) => {
    expect(covers(actual, wanted)).toBe(then);
  });
});
