import type { Random } from '@slipway/base';
import { formatIp, type IpFamily, type IpRange, rangeOf, tryParseCidr, tryParseIp } from '@slipway/kube';

/** The reason why a requested address cannot be allocated, in upstream's wording. */
type AddressRefusal = string;

export interface IpAllocator {
  readonly family: IpFamily;
  /** Returns a free address, or undefined if the range is full. */
  next(taken: ReadonlySet<string>): string | undefined;
  check(address: string, taken: ReadonlySet<string>): AddressRefusal | undefined;
  /** The first address of the range, which the `kubernetes` service gets. */
  readonly first: string;
}

const probesMax = 64;

/** Allocates cluster IPs of one range. The caller tracks the addresses in use. */
export function createIpAllocator(range: string, random: Random): IpAllocator {
  const cidr = tryParseCidr(range);
  if (cidr === undefined) throw new Error(`service range ${range} is not a CIDR`);
  const { family } = cidr.address;
  const whole = rangeOf(cidr);
  // The last address of an IPv4 range is its broadcast address.
  const usable = { first: whole.first + 1n, last: whole.last - (family === 'IPv4' ? 1n : 0n) };
  // Like upstream, reserves the lower part of the range for static assignment.
  const dynamic = { first: usable.first + reservedFor(whole.last - whole.first + 1n), last: usable.last };
  return {
    family,
    first: formatIp({ family, value: usable.first }),
    next: (taken) => pick(dynamic, family, taken, random) ?? firstFree(usable, family, taken),
    check(text, taken) {
      const address = tryParseIp(text);
      const value = address?.family === family ? address.value : -1n;
      if (value < usable.first || value > usable.last) {
        return `failed to allocate IP ${text}: the provided IP (${text}) is not in the valid range. The range of valid IPs is ${range}`;
      }
      return taken.has(text) ? `failed to allocate IP ${text}: provided IP is already allocated` : undefined;
    },
  };
}

function reservedFor(size: bigint): bigint {
  if (size < 16n * 4n) return 0n;
  const proportional = size / 16n;
  return proportional < 16n ? 16n : proportional > 256n ? 256n : proportional;
}

type Taken = ReadonlySet<string>;

function pick({ first, last }: IpRange, family: IpFamily, taken: Taken, random: Random): string | undefined {
  const count = last - first + 1n;
  if (count <= 0n) return undefined;
  // Of larger ranges, pick from the first 2^48 addresses only: more are never needed.
  const span = count > 2n ** 48n ? 2 ** 48 : Number(count);
  for (let attempt = 0; attempt < probesMax; attempt += 1) {
    const address = formatIp({ family, value: first + BigInt(Math.floor(random.next() * span)) });
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function firstFree({ first, last }: IpRange, family: IpFamily, taken: Taken): string | undefined {
  for (let value = first; value <= last; value += 1n) {
    const address = formatIp({ family, value });
    if (!taken.has(address)) return address;
  }
  return undefined;
}
