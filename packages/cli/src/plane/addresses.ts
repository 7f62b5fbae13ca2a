import { hostname, networkInterfaces } from 'node:os';
import { isIPv6 } from 'node:net';

const everyAddress = new Set(['0.0.0.0', '::']);

/** Names that the serving certificate must cover beyond those of every server. */
export function hostsOf(bind: string): string[] {
  if (!everyAddress.has(bind)) return [withoutBrackets(bind)];
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  // A link-local address means nothing without the name of its interface, which no certificate can carry.
  return [hostname(), ...addresses.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'))];
}

/** Where clients on this machine reach a server that is bound there. */
export function endpointOf(bind: string, port: number): string {
  const host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : withoutBrackets(bind);
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
