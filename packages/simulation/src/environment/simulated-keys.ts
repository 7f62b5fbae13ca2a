import { checkPrimeSync, createPrivateKey } from 'node:crypto';
import { type Random, seededRandom } from '@slipway/base';
import { type KeySource, type PrivateKey } from '@slipway/pki';

const keyCount = 6;
const primeBits = 512;
const exponent = 65_537n;

/**
 * Returns a source of a few small keys, which are identical in every run. The keys are RSA, because RSA signatures are
 * deterministic, and short, because their security does not matter here.
 */
export function simulatedKeys(): KeySource {
  let next = 0;
  return {
    next: async () => {
      next = (next + 1) % keyCount;
      return keys()[next] as PrivateKey;
    },
  };
}

let made: readonly PrivateKey[] | undefined;

function keys(): readonly PrivateKey[] {
  if (made === undefined) {
    const random = seededRandom(2_048);
    made = Array.from({ length: keyCount }, () => makeKey(random));
  }
  return made;
}

function makeKey(random: Random): PrivateKey {
  const p = findPrime(random);
  const q = findPrime(random);
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const key = {
    kty: 'RSA',
    n: encode(p * q),
    e: encode(exponent),
    d: encode(d),
    p: encode(p),
    q: encode(q),
    dp: encode(d % (p - 1n)),
    dq: encode(d % (q - 1n)),
    qi: encode(inverse(q, p)),
  };
  return createPrivateKey({ key, format: 'jwk' });
}

function findPrime(random: Random): bigint {
  for (;;) {
    const bytes = Buffer.from(random.bytes(primeBits / 8));
    // Set the two highest bits, so that the product of two primes has the full length, and the lowest bit, which makes the number
    // odd.
    bytes[0] = (bytes[0] ?? 0) | 0xc0;
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) | 1;
    const candidate = BigInt(`0x${bytes.toString('hex')}`);
    if ((candidate - 1n) % exponent !== 0n && checkPrimeSync(candidate)) return candidate;
  }
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [previous, rest] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (rest > 1n) {
    const quotient = previous / rest;
    [previous, rest] = [rest, previous - quotient * rest];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function encode(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
