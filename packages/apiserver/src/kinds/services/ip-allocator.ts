import type { Random } from '@slipway/base';
import { addressNumber, addressOfNumber, type Cidr, isAddress, isIpv6, parseCidr } from '../shared/networks.js';

/** Why a wish for an address cannot be granted, in upstream's words. */
type AddressRefusal = string;

export interface IpAllocator {
  readonly family: 'IPv4' | 'IPv6';
  /** A free address, or undefined when the range is full. */
  next(taken: ReadonlySet<string>): string | undefined;
  check(address: string, taken: ReadonlySet<string>): AddressRefusal | undefined;
  /** The address of the API server's own service: the first of the range. */
  readonly first: string;
}

const probesMax = 64;

/** Hands out cluster IPs of one range. What is taken is the caller's to know. */
export function createIpAllocator(range: string, random: Random): IpAllocator {
  const cidr = parseCidr(range);
  if (cidr === undefined) throw new Error(`service range ${range} is not a CIDR`);
  const low = cidr.first + 1n;
  // The last address of an IPv4 range is its broadcast address.
  const high = cidr.first + cidr.size - (cidr.bits === 32 ? 2n : 1n);
  // The lower part is left to people who choose addresses by hand, as upstream does.
  const dynamic = low + reservedFor(cidr);
  return {
    family: cidr.bits === 32 ? 'IPv4' : 'IPv6',
    first: addressOfNumber(low, cidr.bits),
    next: (taken) => pick(dynamic, high, cidr, taken, random) ?? firstFree(low, high, cidr, taken),
    check(address, taken) {
      const value = isAddress(address) && isIpv6(address) === (cidr.bits === 128) ? addressNumber(address) : -1n;
      if (value < low || value > high) {
        return `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`;
      }
      return taken.has(address) ? `failed to allocate IP ${address}: provided IP is already allocated` : undefined;
    },
  };
}

function reservedFor(cidr: Cidr): bigint {
  if (cidr.size < 16n * 4n) return 0n;
  const wanted = cidr.size / 16n;
  return wanted < 16n ? 16n : wanted > 256n ? 256n : wanted;
}

function pick(low: bigint, high: bigint, cidr: Cidr, taken: ReadonlySet<string>, random: Random): string | undefined {
  const count = high - low + 1n;
  if (count <= 0n) return undefined;
  // Beyond 2^48 the difference to a fair choice is of no matter.
  const span = count > 2n ** 48n ? 2 ** 48 : Number(count);
  for (let attempt = 0; attempt < probesMax; attempt += 1) {
    const address = addressOfNumber(low + BigInt(Math.floor(random.next() * span)), cidr.bits);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function firstFree(low: bigint, high: bigint, cidr: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let value = low; value <= high; value += 1n) {
    const address = addressOfNumber(value, cidr.bits);
    if (!taken.has(address)) return address;
  }
  return undefined;
}
