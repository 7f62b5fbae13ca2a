import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/value.js';
import {
  aggregateText,
  formatGoFloat,
  formatGoNumber,
  formatGoSource,
  formatGoValue,
  goTypeOf,
  quoteGo,
  quoteGoList,
} from './go-format.js';

// The right columns are the output of Go's fmt.
describe('Go formatting', () => {
  it.each([
    ['plain', '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\t\x00\x07', '"\\n\\t\\x00\\a"'],
    ['grün ☂', '"grün ☂"'],
    ['\u200b\u00a0', '"\\u200b\\u00a0"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\x7f', '"\\x7f"'],
    ['\u0007\u001b\ufeff', '"\\a\\x1b\\ufeff"'],
    ['über 😀', '"über 😀"'],
    ['a\ud800b', '"a\ufffdb"'],
  ])('quotes %j', (text, expected) => expect(quoteGo(text)).toBe(expected));

  it('quotes lists and joins aggregates', () => {
    expect(quoteGoList(['a', 'b'])).toBe('["a" "b"]');
    expect(quoteGoList([])).toBe('[]');
    expect(aggregateText(['x', 'x'])).toBe('x');
    expect(aggregateText(['x', 'y'])).toBe('[x, y]');
  });

  it.each<[JsonValue | undefined, string, string, string]>([
    [undefined, '<nil>', 'interface {}(nil)', '<nil>'],
    ['a b', 'a b', '"a b"', 'string'],
    [true, 'true', 'true', 'bool'],
    [12n, '12', '12', 'int64'],
    [1234567, '1234567', '1234567', 'int64'],
    [1234567.5, '1.2345675e+06', '1.2345675e+06', 'float64'],
    [[1, 'a'], '[1 a]', '[]interface {}{1, "a"}', '[]interface {}'],
    [
      { b: [], a: null },
      'map[a:<nil> b:[]]',
      'map[string]interface {}{"a":interface {}(nil), "b":[]interface {}{}}',
      'map[string]interface {}',
    ],
  ])('formats %o with %%v, %%#v and %%T', (value, plain, source, type) => {
    expect([formatGoValue(value), formatGoSource(value), goTypeOf(value)]).toEqual([plain, source, type]);
  });

  it.each([
    [0, '0'],
    [-0, '-0'],
    [1.5, '1.5'],
    [10000000.5, '1.00000005e+07'],
    [123456.5, '123456.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e100, '1e+100'],
    [-2.5e-7, '-2.5e-07'],
    [1e6, '1e+06'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('formats the float %d as %s', (value, text) => {
    expect(formatGoFloat(value)).toBe(text);
  });

  it('formats whole numbers as integers', () => {
    expect([1e6, -3_000_000_000, 2 ** 60].map(formatGoNumber)).toEqual([
      '1000000',
      '-3000000000',
      '1152921504606846976',
    ]);
  });
});
