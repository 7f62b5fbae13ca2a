import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified, tryParseIp } from '@slipway/kube';

/** Ranges that do not tell how a machine is reached. */
const localRanges = [isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast];

/** Whether an address that a guest reports can be used from outside of it. */
export function isReachableAddress(text: string): boolean {
  const address = tryParseIp(text);
  return address !== undefined && !localRanges.some((isIn) => isIn(address));
}
