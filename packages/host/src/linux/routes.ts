import { cidrsOverlap, tryParseCidr } from '@slipway/kube';

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
    if (overlap(text, cidr)) return `${dst} dev ${dev}`;
  }
  return undefined;
}

/** Whether two networks share an address; text that is not a CIDR has none. */
export function overlap(left: string, right: string): boolean {
  const [first, second] = [tryParseCidr(left), tryParseCidr(right)];
  return first !== undefined && second !== undefined && cidrsOverlap(first, second);
}
