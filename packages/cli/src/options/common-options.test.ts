import { describe, expect, it } from 'vitest';
import { parseCount, parseMilliseconds, parsePort } from './common-options.js';

describe('parsers of flag values', () => {
  it.each([
    ['30', 30_000],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['250ms', 250],
    ['1h', 3_600_000],
  ])('parses the duration %s as %d ms', (text, expected) => {
    expect(parseMilliseconds(text)).toBe(expected);
  });

  it.each(['', 'soon', '-1s', '1.5s', '1d', '9999999999s', '1s '])('rejects the duration %j', (text) => {
    expect(() => parseMilliseconds(text)).toThrow('A duration must be');
  });

  it.each(['', '-1', '65536', '1e3', '0x10', ' 80'])('rejects the port %j', (text) => {
    expect(() => parsePort(text)).toThrow('A port must be');
  });

  it.each(['', '-1', '1.5', '99999999999999999999'])('rejects the count %j', (text) => {
    expect(() => parseCount(text)).toThrow('whole number');
  });

  it('parses ports and counts as numbers', () => {
    expect([parsePort('0'), parsePort('65535'), parseCount('1000000')]).toEqual([0, 65_535, 1_000_000]);
  });
});
