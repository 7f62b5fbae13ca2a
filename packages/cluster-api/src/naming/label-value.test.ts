import { describe, expect, it } from 'vitest';
import { fnv32a, formatLabelValue } from './label-value.js';

describe('formatLabelValue', () => {
  it('keeps names that are valid label values', () => {
    expect(formatLabelValue('machine-set-1')).toBe('machine-set-1');
  });

  it('hashes names that are too long [14.52]', () => {
    const value = formatLabelValue('a'.repeat(64));
    expect(value).toMatch(/^hash_[A-Za-z0-9_-]{6}_z$/);
    expect(formatLabelValue('a'.repeat(64))).toBe(value);
  });
});

it('computes FNV-1a', () => {
  expect([fnv32a(''), fnv32a('a'), fnv32a('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});
