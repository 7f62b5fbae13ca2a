import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { findPrime, toBase64Url } from './primes.js';

const exponent = 65_537n;

/**
 * Generates an RSA key that satisfies FIPS 186-5. Finds the primes by sieving from a random start, as OpenSSL did before its FIPS
 * validation. OpenSSL's current generator tests each prime 64 times and also searches auxiliary primes, which keys of this size
 * do not need: it takes five times as long and was more than half of the CPU time of creating a cluster.
 */
export function createRsaKey(modulusBits: number): KeyObject {
  const primeBits = modulusBits / 2;
  const isCoprime = (candidate: bigint): boolean => candidate % exponent !== 1n;
  for (;;) {
    const one = findPrime(primeBits, isCoprime);
    const other = findPrime(primeBits, isCoprime);
    const key = assemble(one > other ? one : other, one > other ? other : one, primeBits);
    if (key !== undefined) return key;
  }
}

/** Builds the key from its two primes. Returns undefined for a pair that FIPS 186-5 excludes, which practically never happens. */
export function assemble(p: bigint, q: bigint, primeBits: number): KeyObject | undefined {
  if (p - q <= 1n << BigInt(primeBits - 100)) return undefined;
  const period = ((p - 1n) * (q - 1n)) / greatestCommonDivisor(p - 1n, q - 1n);
  const d = inverse(exponent, period);
  if (d <= 1n << BigInt(primeBits)) return undefined;
  const members = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const encoded = Object.entries(members).map(([name, value]) => [name, toBase64Url(value)] as const);
  const key = createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(encoded) }, format: 'jwk' });
  if (!isConsistent(key)) throw new Error('generated RSA key does not verify its own signature');
  return key;
}

function isConsistent(key: KeyObject): boolean {
  const message = Buffer.from('pairwise consistency');
  return verify('sha256', message, createPublicKey(key), sign('sha256', message, key));
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Returns the inverse of `value` modulo `modulus`. The two must be coprime. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value % modulus];
  let [coefficient, nextCoefficient] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return coefficient < 0n ? coefficient + modulus : coefficient;
}
