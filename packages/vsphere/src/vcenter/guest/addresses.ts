import ipaddr from 'ipaddr.js';

/** Ranges that say nothing about how a machine is reached. */
const localRanges = new Set(['unspecified', 'linkLocal', 'loopback']);
const linkLocalMulticast = [ipaddr.parseCIDR('224.0.0.0/24'), ipaddr.parseCIDR('ff02::/16')] as const;

/** Whether an address that a guest reports can be used from outside of it. */
export function isReachableAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (localRanges.has(address.range())) return false;
  return !linkLocalMulticast.some(
    ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
  );
}
