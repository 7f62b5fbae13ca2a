import { describe, expect, it } from 'vitest';
import { aggregateText, quoteGo, quoteGoList } from './go-format.js';
import { jsonEqual } from './json-equal.js';

describe('texts as Go prints them', () => {
  it.each([
    ['plain', '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\t\x00\x07', '"\\n\\t\\x00\\a"'],
    ['grün ☂', '"grün ☂"'],
    ['\u200b\u00a0', '"\\u200b\\u00a0"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\x7f', '"\\x7f"'],
  ])('%j', (text, expected) => expect(quoteGo(text)).toBe(expected));

  it('lists and aggregates', () => {
    expect(quoteGoList(['a', 'b'])).toBe('["a" "b"]');
    expect(quoteGoList([])).toBe('[]');
    expect(aggregateText(['x', 'x'])).toBe('x');
    expect(aggregateText(['x', 'y'])).toBe('[x, y]');
  });
});

describe('equality of JSON', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    [Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }, true],
    [JSON.parse('{"__proto__":1}'), {}, false],
  ])('%j and %j', (left, right, equal) => expect(jsonEqual(left, right)).toBe(equal));
});
