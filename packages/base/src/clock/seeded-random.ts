import type { Random } from './random.js';

/** A small, quick generator (mulberry32): the same seed gives the same run on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next32 = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    next: () => next32() / 0x1_0000_0000,
    bytes: (length) => Uint8Array.from({ length }, () => next32() & 0xff),
  };
}
