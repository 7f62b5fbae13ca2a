import { checkPrimeSync, generatePrimeSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findPrime, isProbablyPrime } from './primes.js';
import { assemble, createRsaKey } from './rsa-key.js';

describe('RSA keys', () => {
  it.each([2048, 3072])('generates RSA keys of %i bits that satisfy FIPS 186-5', (bits) => {
    const jwk = createRsaKey(bits).export({ format: 'jwk' });
    const [n, e, d, p, q, dp, dq, qi] = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'].map((name) => integer(jwk[name]));
    if (!n || !e || !d || !p || !q || !dp || !dq || !qi) throw new Error('missing JWK member');
    expect(n).toBe(p * q);
    expect(n.toString(2)).toHaveLength(bits);
    expect(e).toBe(65_537n);
    expect([checkPrimeSync(p), checkPrimeSync(q)]).toEqual([true, true]);
    expect(p - q).toBeGreaterThan(1n << BigInt(bits / 2 - 100));
    expect(d).toBeGreaterThan(1n << BigInt(bits / 2));
    expect([(d * e) % (p - 1n), (d * e) % (q - 1n)]).toEqual([1n, 1n]);
    expect([dp, dq, (qi * q) % p]).toEqual([d % (p - 1n), d % (q - 1n), 1n]);
  });

  it('generates a different RSA key each time', () => {
    const moduli = Array.from({ length: 5 }, () => createRsaKey(2048).export({ format: 'jwk' }).n);
    expect(new Set(moduli).size).toBe(5);
  });

  it('rejects pairs of primes that are close to each other', () => {
    const p = findPrime(1024, (candidate) => candidate % 65_537n !== 1n);
    let q = p - 2n;
    while (!checkPrimeSync(q)) q -= 2n;
    expect(assemble(p, q, 1024)).toBeUndefined();
  });
});

describe('primes', () => {
  const prime = generatePrimeSync(1024, { bigint: true });
  const half = generatePrimeSync(512, { bigint: true });
  it.each([
    { name: 'a prime', number: prime, expected: true },
    { name: 'a prime square', number: squareOf(512), expected: false },
    { name: 'a product of two large primes', number: productOf(half, 512), expected: false },
    // A product (6k+1)(12k+1)(18k+1) of three primes passes Fermat's test with every base that shares no factor with it.
    { name: 'a Carmichael number', number: carmichaelNumber(1024), expected: false },
  ])('decides whether $name is prime: $expected', ({ number, expected }) => {
    expect(isProbablyPrime(number, number.toString(2).length)).toBe(expected);
  });

  it('generates primes until the caller accepts one', () => {
    const found = findPrime(512, (candidate) => candidate % 4n === 3n);
    expect([found % 4n, found >> 510n, checkPrimeSync(found)]).toEqual([3n, 3n, true]);
  });
});

function integer(text: unknown): bigint {
  return BigInt(`0x${Buffer.from(String(text), 'base64url').toString('hex')}`);
}

function squareOf(bits: number): bigint {
  const factor = findPrime(bits, () => true);
  return factor * factor;
}

function productOf(factor: bigint, bits: number): bigint {
  for (;;) {
    const product = factor * findPrime(bits, () => true);
    if (product.toString(2).length === 2 * bits) return product;
  }
}

/** Returns a Carmichael number of `bits` bits. */
function carmichaelNumber(bits: number): bigint {
  // Start with the largest k for which the product, about 6 * 12 * 18 k^3, still has `bits` bits.
  for (let k = cubeRoot((1n << BigInt(bits)) / 1296n); ; k -= 1n) {
    const factors = [6n * k + 1n, 12n * k + 1n, 18n * k + 1n];
    if (factors.every((factor) => checkPrimeSync(factor))) return factors.reduce((all, factor) => all * factor, 1n);
  }
}

function cubeRoot(value: bigint): bigint {
  let [low, high] = [0n, value];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** 3n <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
