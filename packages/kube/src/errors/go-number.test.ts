import { describe, expect, it } from 'vitest';
import { formatGoFloat, formatGoNumber } from './go-number.js';

// The right column is what fmt.Sprint prints.
describe('numbers as Go prints them', () => {
  it.each([
    [0, '0'],
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
  ])('float %d is %s', (value, text) => {
    expect(formatGoFloat(value)).toBe(text);
  });

  it('whole numbers are integers', () => {
    expect([1e6, -3_000_000_000, 2 ** 60].map(formatGoNumber)).toEqual([
      '1000000',
      '-3000000000',
      '1152921504606846976',
    ]);
  });
});
