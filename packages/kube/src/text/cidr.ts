import { formatIp, type IpAddress, type IpFamily, parseZonedIp, tryParseIp } from './ip-address.js';

/** An IP address with a prefix length. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefix: number;
}

/** A range of addresses. Both ends are inclusive. */
export interface IpRange {
  readonly first: bigint;
  readonly last: bigint;
}

export const bitsOf: Readonly<Record<IpFamily, 32 | 128>> = { IPv4: 32, IPv6: 128 };

/** Parses a prefix like Go's netip.ParsePrefix, with its error messages. */
export function parsePrefix(text: string): Cidr {
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw new Error("no '/'");
  const { family, value, zone } = parseZonedIp(text.slice(0, slash));
  if (zone !== '') throw new Error('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(0|[1-9][0-9]*)$/.test(digits)) throw new Error(`bad bits after slash: ${JSON.stringify(digits)}`);
  if (Number(digits) > bitsOf[family]) throw new Error('prefix length out of range');
  return { address: { family, value }, prefix: Number(digits) };
}

/** Parses `10.9.8.0/24` or `2001:db8::/64`. Returns undefined for anything else. Host bits may be set. */
export function tryParseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : tryParseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,3}$/.test(digits)) return undefined;
  return Number(digits) > bitsOf[address.family] ? undefined : { address, prefix: Number(digits) };
}

export function isCidr(text: string): boolean {
  return tryParseCidr(text) !== undefined;
}

export function formatCidr({ address, prefix }: Cidr): string {
  return `${formatIp(address)}/${prefix}`;
}

/** Returns the network with the host bits cleared. */
export function maskCidr(cidr: Cidr): Cidr {
  return { ...cidr, address: { family: cidr.address.family, value: rangeOf(cidr).first } };
}

/** Returns the range of all addresses of the network. */
export function rangeOf({ address, prefix }: Cidr): IpRange {
  const hostBits = BigInt(bitsOf[address.family] - prefix);
  const first = (address.value >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}

export function cidrContains(cidr: Cidr, address: IpAddress): boolean {
  const { first, last } = rangeOf(cidr);
  return cidr.address.family === address.family && first <= address.value && address.value <= last;
}

/** Returns whether the networks share an address: then one contains the other. */
export function cidrsOverlap(left: Cidr, right: Cidr): boolean {
  return cidrContains(left, right.address) || cidrContains(right, left.address);
}
