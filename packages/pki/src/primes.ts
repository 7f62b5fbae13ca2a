import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';

/** Largest prime of the trial division. Dividing by larger ones costs more than the Miller-Rabin tests that it saves. */
const divisorMax = 65_536;
/** Number of odd candidates to sieve at a time. One range of this length in 100,000 contains no prime of 1,024 bits. */
const stretchLength = 4_096;
/**
 * Number of Miller-Rabin rounds, from FIPS 186-5, table B.1: for primes of 1,024 bits and more the error probability is below
 * 2^-112.
 */
const rounds = 5;

/** A group of small primes whose product is a safe integer, so that one long division tests all of them. */
interface Divisors {
  readonly product: bigint;
  readonly primes: readonly number[];
}

let divisors: readonly Divisors[] | undefined;

/** Generates a random prime for which `accept` returns true. It has `bits` bits, a multiple of 8, and its two highest bits are set. */
export function findPrime(bits: number, accept: (candidate: bigint) => boolean): bigint {
  for (;;) {
    const start = randomStart(bits);
    const isComposite = sieve(start);
    for (let index = 0; index < stretchLength; index += 1) {
      if (isComposite[index] === 1) continue;
      const candidate = start + BigInt(2 * index);
      if (accept(candidate) && isProbablyPrime(candidate, bits)) return candidate;
    }
  }
}

/** Runs the Miller-Rabin test with random bases on an odd number of `bits` bits whose highest bit is set. */
export function isProbablyPrime(candidate: bigint, bits: number): boolean {
  const minusOne = candidate - 1n;
  let odd = minusOne;
  let twos = 0;
  for (; (odd & 1n) === 0n; odd >>= 1n) twos += 1;
  // Compute the modular exponentiation with RSA's public operation without padding: OpenSSL is ten times as fast as BigInt, and
  // it does not check that the modulus is composite.
  const key = createPublicKey({ key: { kty: 'RSA', n: toBase64Url(candidate), e: toBase64Url(odd) }, format: 'jwk' });
  for (let round = 0; round < rounds; round += 1) {
    const base = randomBytes(bits / 8);
    // The base must be less than the candidate.
    base[0] = (base[0] ?? 0) & 0x7f;
    const power = toInteger(publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, base));
    if (power !== 1n && !reachesMinusOne(power, minusOne, twos)) return false;
  }
  return true;
}

function reachesMinusOne(power: bigint, minusOne: bigint, squarings: number): boolean {
  let value = power;
  for (let done = 0; done < squarings; done += 1) {
    if (value === minusOne) return true;
    value = (value * value) % (minusOne + 1n);
  }
  return false;
}

function randomStart(bits: number): bigint {
  const bytes = randomBytes(bits / 8);
  // Set the two highest bits: the product of two such primes has exactly twice their number of bits.
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  const start = toInteger(bytes);
  return (start + BigInt(2 * stretchLength)) >> BigInt(bits) === 0n ? start : randomStart(bits);
}

/** Returns one entry for each odd number, beginning with `start`: 1 if a small prime divides it. */
function sieve(start: bigint): Uint8Array {
  const isComposite = new Uint8Array(stretchLength);
  divisors ??= smallPrimes();
  for (const { product, primes } of divisors) {
    const remainder = Number(start % product);
    for (const prime of primes) {
      const distance = (prime - (remainder % prime)) % prime;
      const first = (distance % 2 === 0 ? distance : distance + prime) / 2;
      for (let index = first; index < stretchLength; index += prime) isComposite[index] = 1;
    }
  }
  return isComposite;
}

function smallPrimes(): Divisors[] {
  const isComposite = new Uint8Array(divisorMax);
  const groups: Divisors[] = [];
  let product = 1;
  let primes: number[] = [];
  for (let number = 3; number < divisorMax; number += 2) {
    if (isComposite[number] === 1) continue;
    for (let multiple = number * number; multiple < divisorMax; multiple += 2 * number) isComposite[multiple] = 1;
    if (product * number > Number.MAX_SAFE_INTEGER) {
      groups.push({ product: BigInt(product), primes });
      product = 1;
      primes = [];
    }
    product *= number;
    primes.push(number);
  }
  return [...groups, { product: BigInt(product), primes }];
}

export function toBase64Url(value: bigint): string {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString('base64url');
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}
