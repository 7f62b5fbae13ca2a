import type { Frozen } from '@slipway/kube';
import ipaddr from 'ipaddr.js';
import type { IPAddress } from '../api/index.js';
import { parseAddress } from '../admission/ip-address.js';

export type AddressFamily = 'ipv4' | 'ipv6';

export interface Address {
  readonly family: AddressFamily;
  readonly value: bigint;
}

/** Both ends belong to it. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Addresses of one family as ranges: in order, apart from each other. A /64 is one range; nothing here ever counts through
 * the addresses of one.
 */
export interface AddressSet {
  readonly family: AddressFamily;
  readonly ranges: readonly AddressRange[];
}

export const bitsOf: Readonly<Record<AddressFamily, number>> = { ipv4: 32, ipv6: 128 };

export function readAddress(text: string): Address | undefined {
  const parsed = parseAddress(text);
  if (parsed === undefined) return undefined;
  const hex = Buffer.from(parsed.toByteArray()).toString('hex');
  return { family: parsed.kind(), value: BigInt(`0x${hex}`) };
}

/** As people write it: IPv6 in its shortest form. */
export function addressText({ family, value }: Address): string {
  const bytes = [...Buffer.from(value.toString(16).padStart(bitsOf[family] / 4, '0'), 'hex')];
  return family === 'ipv4' ? new ipaddr.IPv4(bytes).toString() : new ipaddr.IPv6(bytes).toRFC5952String();
}

/** One address, `a-b`, or a CIDR block of which all is meant. Undefined for anything else. */
export function readRange(text: string): (AddressRange & { readonly family: AddressFamily }) | undefined {
  if (text.includes('/')) return readBlock(text);
  const [from = '', to = from, ...rest] = text.split('-');
  const first = readAddress(from);
  const last = readAddress(to);
  if (rest.length > 0 || first === undefined || last?.family !== first.family || last.value < first.value)
    return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

function readBlock(text: string): (AddressRange & { readonly family: AddressFamily }) | undefined {
  const [base = '', bits = '', ...rest] = text.split('/');
  const address = readAddress(base);
  if (address === undefined || rest.length > 0 || !/^[0-9]{1,3}$/.test(bits)) return undefined;
  if (Number(bits) > bitsOf[address.family]) return undefined;
  return { family: address.family, ...subnetOf(address, Number(bits)) };
}

/** The network that an address is in. */
export function subnetOf({ family, value }: Address, prefix: number): AddressRange {
  const hostBits = BigInt(bitsOf[family] - prefix);
  const first = (value >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}

export function addressSet(family: AddressFamily, ranges: readonly AddressRange[]): AddressSet {
  const sorted = [...ranges].sort((left, right) => (left.first < right.first ? -1 : 1));
  const joined: AddressRange[] = [];
  for (const range of sorted) {
    const before = joined.at(-1);
    if (before === undefined || range.first > before.last + 1n) joined.push(range);
    else if (range.last > before.last) joined[joined.length - 1] = { first: before.first, last: range.last };
  }
  return { family, ranges: joined };
}

export function subtract(set: AddressSet, removed: AddressSet): AddressSet {
  if (set.family !== removed.family) return set;
  let ranges: readonly AddressRange[] = set.ranges;
  for (const hole of removed.ranges) ranges = ranges.flatMap((range) => cut(range, hole));
  return { family: set.family, ranges };
}

function cut(range: AddressRange, hole: AddressRange): AddressRange[] {
  if (hole.last < range.first || hole.first > range.last) return [range];
  return [
    ...(hole.first > range.first ? [{ first: range.first, last: hole.first - 1n }] : []),
    ...(hole.last < range.last ? [{ first: hole.last + 1n, last: range.last }] : []),
  ];
}

export function contains({ family, ranges }: AddressSet, address: Address): boolean {
  if (family !== address.family) return false;
  return ranges.some(({ first, last }) => first <= address.value && address.value <= last);
}

export function countOf({ ranges }: AddressSet): bigint {
  return ranges.reduce((total, { first, last }) => total + last - first + 1n, 0n);
}

/** The lowest address that is not used. Looks at no more addresses than are used. */
export function lowestFree(set: AddressSet, used: ReadonlySet<bigint>): Address | undefined {
  for (const { first, last } of set.ranges)
    for (let value = first; value <= last; value += 1n) if (!used.has(value)) return { family: set.family, value };
  return undefined;
}

/** Stored addresses are shared and never changed: each is parsed once. */
const stored = new WeakMap<Frozen<IPAddress>, Address | 'unreadable'>();

export function storedAddress(object: Frozen<IPAddress>): Address | undefined {
  let address = stored.get(object);
  if (address === undefined) {
    address = readAddress(object.spec.address) ?? 'unreadable';
    stored.set(object, address);
  }
  return address === 'unreadable' ? undefined : address;
}
