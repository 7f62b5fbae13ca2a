import { type Frozen, type IpAddress, type IpRange, rangeOf, tryParseIp } from '@slipway/kube';
import type { InClusterIPPool } from '../api/index.js';
import { addressSet, type AddressSet, contains, countOf, readRange, subtract } from './address-set.js';

export type PoolSpec = NonNullable<Frozen<InClusterIPPool>['spec']>;

/** The addresses of a pool, or the error in its spec. */
export type PoolAddresses = { readonly set: AddressSet } | { readonly problem: string };

/** Parsed pool specs, which are shared and immutable: each is parsed once. */
const cached = new WeakMap<PoolSpec, PoolAddresses>();

export function poolAddresses(spec: PoolSpec | undefined): PoolAddresses {
  if (spec === undefined) return { problem: 'spec.addresses is empty' };
  let addresses = cached.get(spec);
  if (addresses === undefined) {
    addresses = readPool(spec);
    cached.set(spec, addresses);
  }
  return addresses;
}

function readPool(spec: PoolSpec): PoolAddresses {
  const given = readAll(spec.addresses, 'spec.addresses');
  if ('problem' in given) return given;
  const { family, ranges } = given.set;
  const [lowest] = ranges;
  if (lowest === undefined) return { problem: 'spec.addresses is empty' };
  const excluded = readAll(spec.excludedAddresses ?? [], 'spec.excludedAddresses');
  if ('problem' in excluded) return excluded;
  const gateway = spec.gateway === undefined || spec.gateway === '' ? undefined : tryParseIp(spec.gateway);
  const reserved: IpRange[] = gateway?.family === family ? [single(gateway.value)] : [];
  if (spec.allocateReservedIPAddresses !== true) {
    const subnet = rangeOf({ address: { family, value: lowest.first }, prefix: spec.prefix });
    // Excludes the network address (in IPv6 the subnet-router anycast address) and the broadcast address.
    reserved.push(single(subnet.first), ...(family === 'IPv4' ? [single(subnet.last)] : []));
  }
  return { set: subtract(subtract(given.set, excluded.set), addressSet(family, reserved)) };
}

function single(value: bigint): IpRange {
  return { first: value, last: value };
}

function readAll(texts: readonly string[], field: string): PoolAddresses {
  const ranges = texts.map(readRange);
  const wrong = ranges.findIndex((range) => range === undefined || range.family !== ranges[0]?.family);
  if (wrong >= 0) return { problem: `${field}[${wrong}] is not an address, range or CIDR block of one address family` };
  const found = ranges.flatMap((range) => (range === undefined ? [] : [range]));
  return { set: addressSet(found[0]?.family ?? 'IPv4', found) };
}

export interface PoolCounts {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  readonly outOfRange: number;
}

/**
 * Counts the used addresses of a pool. Addresses that cannot be parsed count as out of range. Counts are limited to the largest
 * safe JSON number.
 */
export function countPool(set: AddressSet, used: readonly (IpAddress | undefined)[]): PoolCounts {
  const total = countOf(set);
  const inside = used.filter((address) => address !== undefined && contains(set, address)).length;
  return {
    total: bounded(total),
    used: used.length,
    free: bounded(total - BigInt(inside)),
    outOfRange: used.length - inside,
  };
}

function bounded(count: bigint): number {
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}
