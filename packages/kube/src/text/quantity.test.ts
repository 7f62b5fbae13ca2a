import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from './quantity.js';

const anyQuantity = fc
  .tuple(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.option(fc.integer({ min: 0, max: 9999 }), { nil: undefined }),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'e3', 'e-3', 'E6'),
  )
  .map(([whole, decimals, suffix]) => `${whole}${decimals === undefined ? '' : `.${decimals}`}${suffix}`);

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['1', '1'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['0.1', '100m'],
    ['1000', '1k'],
    ['1000m', '1'],
    ['100M', '100M'],
    ['1024Ki', '1Mi'],
    ['1023Ki', '1023Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['1Ki', '1Ki'],
    ['0.001Ki', '1024m'],
    ['12e6', '12e6'],
    ['1000e6', '1e9'],
    ['1e3', '1e3'],
    ['1E', '1E'],
    ['1000E', '1000E'],
    ['1.500', '1.500'],
    ['-1.5', '-1500m'],
    ['0.0000000001', '1n'],
    ['1e-20', '1e-9'],
    ['4096Pi', '4Ei'],
    ['16Ei', '9223372036854775807'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ])('formats %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  it.each([
    ['', format],
    ['abc', format],
    ['1 Gi', format],
    ['1.1.1', format],
    ['1Gii', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1K', "unable to parse quantity's suffix"],
    ['1e999999999', 'unable to parse numeric part of quantity'],
    ['9'.repeat(100_000), format],
  ])('rejects %s', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(message);
  });

  it('compares across suffixes', () => {
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1G'))).toBe(1);
    expect(compareQuantities(parseQuantity('1000m'), parseQuantity('1'))).toBe(0);
    expect(compareQuantities(parseQuantity('-1'), parseQuantity('0'))).toBe(-1);
  });

  it('rounds away from zero', () => {
    expect(quantityValue(parseQuantity('1500m'))).toBe(2n);
    expect(quantityValue(parseQuantity('-1500m'))).toBe(-2n);
    expect(quantityMilliValue(parseQuantity('1.5'))).toBe(1500n);
  });

  it('adds in the format of the left operand, or of the right one if the left is zero', () => {
    expect(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1536Mi')))).toBe('2560Mi');
    expect(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1G')))).toBe('2073741824');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi')))).toBe('1Gi');
  });

  it('keeps the amount when formatting, and has one canonical form', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const quantity = parseQuantity(text);
        const printed = formatQuantity({ nanos: quantity.nanos, format: quantity.format });
        expect(parseQuantity(printed).nanos).toBe(quantity.nanos);
        expect(formatQuantity(parseQuantity(printed))).toBe(printed);
      }),
    );
  });

  it('has the same amount after adding and subtracting another', () => {
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (left, right) => {
        const sum = addQuantities(parseQuantity(left), parseQuantity(right));
        expect(subtractQuantities(sum, parseQuantity(right)).nanos).toBe(parseQuantity(left).nanos);
      }),
    );
  });
});
