import ipaddr from 'ipaddr.js';

const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const cidrText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Four decimal parts, or IPv6: the loose IPv4 forms that other parsers take are refused. */
export function isAddress(value: string): boolean {
  return (
    value.length <= 45 &&
    (ipaddr.IPv4.isValidFourPartDecimal(value) ||
      (value.includes(':') && ipaddr.IPv6.isValid(value) && !value.includes('%')))
  );
}

export function isIpv6(value: string): boolean {
  return value.includes(':');
}

export function checkAddress(value: string): string[] {
  return isAddress(value) ? [] : [addressText];
}

export function checkCidr(value: string): string[] {
  return parseCidr(value) === undefined ? [cidrText] : [];
}

export interface Cidr {
  readonly first: bigint;
  readonly size: bigint;
  readonly bits: 32 | 128;
}

export function parseCidr(value: string): Cidr | undefined {
  const slash = value.indexOf('/');
  const [address, prefix] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 0 || !isAddress(address) || !/^\d{1,3}$/.test(prefix)) return undefined;
  const bits = isIpv6(address) ? 128 : 32;
  if (Number(prefix) > bits) return undefined;
  const size = 1n << BigInt(bits - Number(prefix));
  const number = addressNumber(address);
  return { first: number - (number % size), size, bits };
}

export function addressNumber(address: string): bigint {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

export function addressOfNumber(value: bigint, bits: 32 | 128): string {
  const bytes: number[] = [];
  for (let rest = value, count = bits / 8; count > 0; count -= 1, rest /= 256n) bytes.unshift(Number(rest % 256n));
  return ipaddr.fromByteArray(bytes).toString();
}

const specialRanges: readonly (readonly [ranges: readonly string[], text: string])[] = [
  [['0.0.0.0/32', '::/128'], 'may not be unspecified (0.0.0.0 or ::)'],
  [['127.0.0.0/8', '::1/128'], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [['169.254.0.0/16', 'fe80::/10'], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [['224.0.0.0/24', 'ff02::/10'], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Addresses that mean something only on the machine or link they are used on cannot be the end of a connection. */
export function checkNotSpecial(address: string): string[] {
  const parsed = ipaddr.parse(address);
  return specialRanges.filter(([ranges]) => ranges.some((range) => inRange(parsed, range))).map(([, text]) => text);
}

function inRange(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}
