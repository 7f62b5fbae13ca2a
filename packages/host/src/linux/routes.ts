import ipaddr from 'ipaddr.js';

interface Route {
  readonly dst?: string;
  readonly dev?: string;
}

/** The first route, as `ip -json route` prints them, that shares an address with the network and is not its own. */
export function overlappingRoute(routes: unknown, cidr: string, ownInterface: string): string | undefined {
  if (!Array.isArray(routes)) return undefined;
  for (const { dst = '', dev = '' } of routes as Route[]) {
    if (dst === 'default' || dst === '' || dev === ownInterface || dev === 'lo') continue;
    const text = dst.includes('/') ? dst : `${dst}/32`;
    if (ipaddr.IPv4.isValidCIDR(text) && overlap(text, cidr)) return `${dst} dev ${dev}`;
  }
  return undefined;
}

/** Of two networks either none shares an address with the other, or one lies in the other. */
export function overlap(left: string, right: string): boolean {
  const [first, second] = [ipaddr.IPv4.parseCIDR(left), ipaddr.IPv4.parseCIDR(right)];
  const bits = Math.min(first[1], second[1]);
  return first[0].match(second[0], bits);
}
