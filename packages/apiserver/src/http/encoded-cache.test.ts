import { describe, expect, it } from 'vitest';
import { EncodedCache } from './encoded-cache.js';

describe('EncodedCache', () => {
  const keys = [{}, {}, {}, {}];

  it('stays within its byte limit and evicts the oldest entries', () => {
    const cache = new EncodedCache<string>(10);
    for (const [index, key] of keys.entries()) cache.set(key, `value ${index}`, 4);
    expect(keys.map((key) => cache.get(key))).toEqual([undefined, undefined, 'value 2', 'value 3']);
    expect(cache.bytes).toBe(8);
  });

  it('does not cache an entry above the limit and counts each entry once', () => {
    const cache = new EncodedCache<string>(10);
    const [large = {}, small = {}] = keys;
    cache.set(large, 'large', 11);
    cache.set(small, 'small', 3);
    cache.set(small, 'again', 3);
    expect([cache.get(large), cache.get(small), cache.bytes]).toEqual([undefined, 'small', 3]);
  });
});
