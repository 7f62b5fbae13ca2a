import { describe, expect, it } from 'vitest';
import { aggregateText, quoteGo, quoteGoList } from './go-format.js';

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
