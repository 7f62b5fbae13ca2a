/** A random source, such as that of the base package. This package does not import the base package. */
export interface RandomSource {
  /** A number in [0, 1). */
  next(): number;
  bytes(length: number): Uint8Array;
}

// Characters of generated names. There are no vowels and no look-alike characters, so that names do not spell words and are not
// misread.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const nameLengthMax = 63;

/** Appends five random characters to `base`. The result has at most 63 characters, so that the name fits a label value. */
export function generateName(base: string, random: RandomSource): string {
  return base.slice(0, nameLengthMax - suffixLength) + randomSuffix(random, suffixLength);
}

export function randomSuffix(random: RandomSource, length: number): string {
  let suffix = '';
  for (let index = 0; index < length; index += 1)
    suffix += alphabet.charAt(Math.floor(random.next() * alphabet.length));
  return suffix;
}
