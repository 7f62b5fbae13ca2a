import { randomBytes, randomFillSync } from 'node:crypto';
import type { Random } from './random.js';

/** Asking the system costs the same for 16 bytes as for thousands, and every request wants 16. */
const poolLength = 4_096;
const pooledLengthMax = 64;
const pool = new Uint8Array(poolLength);
let used = poolLength;

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => (length > pooledLengthMax ? randomBytes(length) : takeFromPool(length)),
};

function takeFromPool(length: number): Uint8Array {
  if (used + length > poolLength) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  // What was given out may become a secret: no second copy stays behind.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
