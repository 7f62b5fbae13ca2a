import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '@slipway/base';

/** Returns a random stream for one purpose. Streams are independent, so that shrinking a run does not change the rest of it. */
export function randomFor(seed: number, purpose: string): Random {
  return seededRandom(createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE());
}

export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.next() * values.length)] as T;
}
