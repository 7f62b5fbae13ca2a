import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '@slipway/base';

/** A stream of chance of its own for each purpose: taking one away changes nothing for the others, so runs can be shrunk. */
export function chanceFor(seed: number, purpose: string): Random {
  return seededRandom(createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE());
}

export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.next() * values.length)] as T;
}
