import { hostname, networkInterfaces } from 'node:os';
import { isIPv6 } from 'node:net';

const everyAddress = new Set(['0.0.0.0', '::']);

/** Returns additional names for the serving certificate. */
export function hostsOf(bind: string): string[] {
  if (!everyAddress.has(bind)) return [withoutBrackets(bind)];
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  // Link-local addresses are left out: they are only valid with an interface name, which a certificate cannot contain.
  return [hostname(), ...addresses.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'))];
}

/** Returns the address at which clients on this host reach a server with this bind address. */
export function endpointOf(bind: string, port: number): string {
  const host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : withoutBrackets(bind);
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
