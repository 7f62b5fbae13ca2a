import {
  type IpAddress,
  isCidr,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  tryParseIp,
} from '@slipway/kube';

const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const cidrText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function checkAddress(value: string): string[] {
  return isIp(value) ? [] : [addressText];
}

export function checkCidr(value: string): string[] {
  return isCidr(value) ? [] : [cidrText];
}

const specialRanges: readonly (readonly [isIn: (address: IpAddress) => boolean, text: string])[] = [
  [isUnspecified, 'may not be unspecified (0.0.0.0 or ::)'],
  [isLoopback, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [isLinkLocalUnicast, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [isLinkLocalMulticast, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Rejects loopback, link-local and similar addresses, which are not valid endpoints. */
export function checkNotSpecial(value: string): string[] {
  const address = tryParseIp(value);
  if (address === undefined) return [];
  return specialRanges.flatMap(([isIn, text]) => (isIn(address) ? [text] : []));
}
