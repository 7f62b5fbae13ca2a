import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '@slipway/base';

/** A separate random stream for each purpose: removing one does not affect the others, so that runs can be shrunk. */
export function randomFor(seed: number, purpose: string): Random {
  return seededRandom(createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE());
}

export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.next() * values.length)] as T;
}
