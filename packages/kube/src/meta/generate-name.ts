/** Where chance comes from. The one of the base package fits; this package stands below it and imports nothing. */
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

/** A random (version 4) UUID. */
export function generateUid(random: RandomSource): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
