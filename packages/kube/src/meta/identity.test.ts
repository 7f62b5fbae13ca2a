import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateName, type RandomSource } from './generate-name.js';
import { scaleIntOrPercent } from './int-or-string.js';
import { compareVersionPriority } from './version-priority.js';

const anyRandom: fc.Arbitrary<RandomSource> = fc
  .tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(([number, bytes]) => ({ next: () => number, bytes: (length) => bytes.slice(0, length) }));

describe('generateName', () => {
  it('appends five characters and returns at most 63', () => {
    fc.assert(
      fc.property(anyRandom, fc.integer({ min: 0, max: 200 }), (random, length) => {
        const name = generateName('x'.repeat(length), random);
        expect(name).toMatch(/^x{0,58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        expect(name.length).toBe(Math.min(length, 58) + 5);
      }),
    );
  });
});

describe('scaleIntOrPercent', () => {
  it.each([
    [3, 10, 'up', 3],
    ['25%', 10, 'up', 3],
    ['25%', 10, 'down', 2],
    ['0%', 10, 'up', 0],
    ['100%', 7, 'down', 7],
  ] as const)('scales %s of %i, rounded %s, to %i', (value, total, rounding, expected) => {
    expect(scaleIntOrPercent(value, total, rounding)).toBe(expected);
  });
  it.each(['5', 'x%', '%', '1.5%'])('rejects %s', (value) => {
    expect(() => scaleIntOrPercent(value, 10, 'up')).toThrow('invalid value for IntOrString');
  });
});

describe('compareVersionPriority', () => {
  it('sorts GA before beta before alpha, higher versions first, and other names last in alphabetical order', () => {
    const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect([...sorted].reverse().sort(compareVersionPriority)).toEqual(sorted);
  });
});
