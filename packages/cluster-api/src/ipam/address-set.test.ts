import { formatIp, tryParseIp } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressSet, contains, countOf, lowestFree, readRange, subtract } from './address-set.js';

const value = (text: string): bigint => tryParseIp(text)?.value ?? -1n;
const setOf = (...texts: string[]): ReturnType<typeof addressSet> => {
  const ranges = texts.map(readRange).flatMap((range) => (range === undefined ? [] : [range]));
  return addressSet(ranges[0]?.family ?? 'IPv4', ranges);
};
const show = (set: ReturnType<typeof addressSet>): string[] =>
  set.ranges.map(
    ({ first, last }) =>
      `${formatIp({ family: set.family, value: first })}-${formatIp({ family: set.family, value: last })}`,
  );

describe('addresses', () => {
  it.each([
    ['10.0.0.5', '10.0.0.5-10.0.0.5'],
    ['10.0.0.5-10.0.0.9', '10.0.0.5-10.0.0.9'],
    ['10.0.0.5/30', '10.0.0.4-10.0.0.7'],
    ['fd00::/126', 'fd00::-fd00::3'],
    ['0.0.0.0/0', '0.0.0.0-255.255.255.255'],
  ])('%s is %s', (text, then) => {
    expect(show(setOf(text))).toEqual([then]);
  });

  it.each(['10.0.0.9-10.0.0.5', '10.0.0.1-fd00::1', '10.0.0.0/33', '10.0.0.0/', 'a/8', '1.1.1.1-1.1.1.2-1.1.1.3', ''])(
    '%j is not a range',
    (text) => {
      expect(readRange(text)).toBeUndefined();
    },
  );

  it('joins ranges that overlap or touch', () => {
    expect(show(setOf('10.0.0.8-10.0.0.9', '10.0.0.1-10.0.0.5', '10.0.0.4-10.0.0.7', '10.0.0.11'))).toEqual([
      '10.0.0.1-10.0.0.9',
      '10.0.0.11-10.0.0.11',
    ]);
  });

  it('subtracts ranges', () => {
    const holes = setOf('10.0.0.0', '10.0.0.4-10.0.0.5', '10.0.0.7-10.0.0.20');
    expect(show(subtract(setOf('10.0.0.0-10.0.0.9'), holes))).toEqual(['10.0.0.1-10.0.0.3', '10.0.0.6-10.0.0.6']);
    expect(show(subtract(setOf('10.0.0.1'), setOf('fd00::1')))).toEqual(['10.0.0.1-10.0.0.1']);
  });

  it('counts and chooses in a huge pool without enumerating it', () => {
    const all = setOf('::/0');
    expect(countOf(all)).toBe(1n << 128n);
    const used = new Set([value('::'), value('::1'), value('::3')]);
    expect(lowestFree(all, used)).toEqual({ family: 'IPv6', value: 2n });
  });

  it('chooses the lowest free address of all ranges', () => {
    const pool = setOf('10.0.0.1-10.0.0.2', '10.0.0.9');
    expect(lowestFree(pool, new Set())).toEqual({ family: 'IPv4', value: value('10.0.0.1') });
    const used = new Set([value('10.0.0.1'), value('10.0.0.2')]);
    expect(lowestFree(pool, used)).toEqual({ family: 'IPv4', value: value('10.0.0.9') });
    expect(lowestFree(pool, new Set([...used, value('10.0.0.9')]))).toBeUndefined();
  });
});

/** Small numbers, so that a plain set of numbers can check the result. */
const range = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 10 }))
  .map(([first, length]) => ({ first: BigInt(first), last: BigInt(first + length) }));
const ranges = fc.array(range, { maxLength: 6 });
const members = (list: readonly { first: bigint; last: bigint }[]): Set<bigint> => {
  const all = new Set<bigint>();
  for (const { first, last } of list) for (let each = first; each <= last; each += 1n) all.add(each);
  return all;
};

describe('properties of sets', () => {
  it('contain the same addresses as plain sets', () => {
    fc.assert(
      fc.property(ranges, ranges, (given, removed) => {
        const set = subtract(addressSet('IPv4', given), addressSet('IPv4', removed));
        const plain = members(given);
        for (const gone of members(removed)) plain.delete(gone);
        expect(countOf(set)).toBe(BigInt(plain.size));
        for (let each = 0n; each < 80n; each += 1n)
          expect(contains(set, { family: 'IPv4', value: each })).toBe(plain.has(each));
      }),
    );
  });

  it('allocate every address once, then none', () => {
    fc.assert(
      fc.property(ranges, (given) => {
        const set = addressSet('IPv4', given);
        const used = new Set<bigint>();
        for (let next = lowestFree(set, used); next !== undefined; next = lowestFree(set, used)) used.add(next.value);
        expect([...used]).toEqual([...members(given)].sort((left, right) => (left < right ? -1 : 1)));
      }),
    );
  });
});
