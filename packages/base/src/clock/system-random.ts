import { randomBytes, randomFillSync } from 'node:crypto';
import type { Random } from './random.js';

/** Read randomness in blocks: a system call costs the same for 16 bytes as for thousands, and most requests need 16. */
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
  // Returned bytes may become a secret: erase them from the pool.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
