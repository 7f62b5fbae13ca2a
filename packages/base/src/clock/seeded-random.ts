import type { Random } from './random.js';

/** A small, fast generator (mulberry32). The same seed gives the same sequence on every host. */
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
