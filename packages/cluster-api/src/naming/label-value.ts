import { checkLabelValue } from '@slipway/kube';

/**
 * Returns the label value for a name, in labels and selectors. A name that is not a valid label value, for example because it is
 * too long, is replaced by its hash.
 */
export function formatLabelValue(name: string): string {
  if (checkLabelValue(name).length === 0) return name;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fnv32a(name));
  return `hash_${bytes.toString('base64url')}_z`;
}

/** Returns the 32-bit FNV-1a hash of the UTF-8 form of a text. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
