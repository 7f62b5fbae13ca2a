import { cidrsOverlap, tryParseCidr } from '@slipway/kube';

interface Route {
  readonly dst?: string;
  readonly dev?: string;
}

/** Returns the first route that overlaps with the network and is not its own. `routes` is the output of `ip -json route`. */
export function overlappingRoute(routes: unknown, cidr: string, ownInterface: string): string | undefined {
  if (!Array.isArray(routes)) return undefined;
  for (const { dst = '', dev = '' } of routes as Route[]) {
    if (dst === 'default' || dst === '' || dev === ownInterface || dev === 'lo') continue;
    const text = dst.includes('/') ? dst : `${dst}/32`;
    if (overlap(text, cidr)) return `${dst} dev ${dev}`;
  }
  return undefined;
}

/** Whether two networks share an address. False if a text is not a CIDR. */
export function overlap(left: string, right: string): boolean {
  const [first, second] = [tryParseCidr(left), tryParseCidr(right)];
  return first !== undefined && second !== undefined && cidrsOverlap(first, second);
}
