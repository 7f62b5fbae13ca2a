/** A random source. That of the base package fits; this package imports no other one. */
export interface RandomSource {
  /** A number in [0, 1). */
  next(): number;
  bytes(length: number): Uint8Array;
}

// No vowels and nothing that looks like another character: names neither spell words nor get misread.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const nameLengthMax = 63;

/** `base` and five random characters, at most 63 in all so that the name also fits a label. */
export function generateName(base: string, random: RandomSource): string {
  return base.slice(0, nameLengthMax - suffixLength) + randomSuffix(random, suffixLength);
}

export function randomSuffix(random: RandomSource, length: number): string {
  let suffix = '';
  for (let index = 0; index < length; index += 1)
    suffix += alphabet.charAt(Math.floor(random.next() * alphabet.length));
  return suffix;
}
