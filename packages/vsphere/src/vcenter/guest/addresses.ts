import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified, tryParseIp } from '@slipway/kube';

/** Ranges that cannot be reached from outside the guest. */
const localRanges = [isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast];

/** Whether an address that a guest reports can be used from outside the guest. */
export function isReachableAddress(text: string): boolean {
  const address = tryParseIp(text);
  return address !== undefined && !localRanges.some((isIn) => isIn(address));
}
