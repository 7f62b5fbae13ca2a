import {
  type Frozen,
  type IpAddress,
  type IpFamily,
  type IpRange,
  rangeOf,
  tryParseCidr,
  tryParseIp,
} from '@slipway/kube';
import type { IPAddress } from '../api/index.js';

/** Addresses of one family as sorted, disjoint ranges. Large blocks such as a /64 are one range and are never enumerated. */
export interface AddressSet {
  readonly family: IpFamily;
  readonly ranges: readonly IpRange[];
}

/** Parses one address, `a-b`, or a whole CIDR block. Undefined for anything else. */
export function readRange(text: string): (IpRange & { readonly family: IpFamily }) | undefined {
  if (text.includes('/')) {
    const cidr = tryParseCidr(text);
    return cidr === undefined ? undefined : { family: cidr.address.family, ...rangeOf(cidr) };
  }
  const [from = '', to = from, ...rest] = text.split('-');
  const first = tryParseIp(from);
  const last = tryParseIp(to);
  if (rest.length > 0 || first === undefined || last?.family !== first.family || last.value < first.value)
    return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

export function addressSet(family: IpFamily, ranges: readonly IpRange[]): AddressSet {
  const sorted = [...ranges].sort((left, right) => (left.first < right.first ? -1 : 1));
  const joined: IpRange[] = [];
  for (const range of sorted) {
    const before = joined.at(-1);
    if (before === undefined || range.first > before.last + 1n) joined.push(range);
    else if (range.last > before.last) joined[joined.length - 1] = { first: before.first, last: range.last };
  }
  return { family, ranges: joined };
}

export function subtract(set: AddressSet, removed: AddressSet): AddressSet {
  if (set.family !== removed.family) return set;
  let ranges: readonly IpRange[] = set.ranges;
  for (const hole of removed.ranges) ranges = ranges.flatMap((range) => cut(range, hole));
  return { family: set.family, ranges };
}

function cut(range: IpRange, hole: IpRange): IpRange[] {
  if (hole.last < range.first || hole.first > range.last) return [range];
  return [
    ...(hole.first > range.first ? [{ first: range.first, last: hole.first - 1n }] : []),
    ...(hole.last < range.last ? [{ first: hole.last + 1n, last: range.last }] : []),
  ];
}

export function contains({ family, ranges }: AddressSet, address: IpAddress): boolean {
  if (family !== address.family) return false;
  return ranges.some(({ first, last }) => first <= address.value && address.value <= last);
}

export function countOf({ ranges }: AddressSet): bigint {
  return ranges.reduce((total, { first, last }) => total + last - first + 1n, 0n);
}

/** Returns the lowest unused address. Visits at most as many addresses as are used. */
export function lowestFree(set: AddressSet, used: ReadonlySet<bigint>): IpAddress | undefined {
  for (const { first, last } of set.ranges)
    for (let value = first; value <= last; value += 1n) if (!used.has(value)) return { family: set.family, value };
  return undefined;
}

/** Parsed addresses of stored objects, which are shared and immutable: each is parsed once. */
const stored = new WeakMap<Frozen<IPAddress>, IpAddress | 'unreadable'>();

export function storedAddress(object: Frozen<IPAddress>): IpAddress | undefined {
  let address = stored.get(object);
  if (address === undefined) {
    address = tryParseIp(object.spec.address) ?? 'unreadable';
    stored.set(object, address);
  }
  return address === 'unreadable' ? undefined : address;
}
