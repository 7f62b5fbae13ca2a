import type { Random } from '@slipway/base';

const alphabets = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!@$%^*()-_=+'];
const length = 20;

/** Returns a password of 20 characters of all four classes without repetition, which the default vCenter policy accepts. */
export function generatePassword(random: Random): string {
  const all = alphabets.join('');
  for (;;) {
    const text = Array.from({ length }, () => pick(all, random)).join('');
    const hasAll = alphabets.every((alphabet) => alphabet.split('').some((character) => text.includes(character)));
    if (hasAll && !/(.)\1/.test(text) && /^[A-Za-z]/.test(text)) return text;
  }
}

/** Picks a random character. Rejection sampling avoids modulo bias. */
function pick(alphabet: string, random: Random): string {
  const limit = 256 - (256 % alphabet.length);
  for (;;) {
    const [byte = 255] = random.bytes(1);
    if (byte < limit) return alphabet[byte % alphabet.length] as string;
  }
}
