import { isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

const loopbackOrUnspecified = /^(127\.|0\.0\.0\.0$|::1?$)/;

/**
 * Returns the address under which other hosts reach a server that listens on `bound`. As in kube-apiserver, a server on loopback or
 * on all addresses advertises the address of a network interface, IPv4 first. Undefined if this host has none.
 */
export function advertisedAddress(
  bound: string,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>> = networkInterfaces(),
): string | undefined {
  if (isIP(bound) !== 0 && !loopbackOrUnspecified.test(bound)) return bound;
  const addresses = Object.values(interfaces).flatMap((entries) => entries ?? []);
  const global = addresses.filter(({ internal, address }) => !internal && !/^(169\.254\.|fe80:)/i.test(address));
  return (global.find(({ family }) => family === 'IPv4') ?? global[0])?.address;
}
