import { isIPv6 } from 'node:net';

/** A connection as the configuration of a driver needs it. Holds the password: never to be logged. */
export interface ConnectionFacts {
  readonly name: string;
  readonly server: string;
  readonly port: number;
  readonly insecure: boolean;
  readonly thumbprint?: string;
  readonly caBundle?: string;
  readonly datacenters: readonly string[];
  readonly username: string;
  readonly password: string;
}

/** Where the authorities of vCenters are put, beside the configuration of either driver. */
export const authoritiesFile = 'ca.pem';

export function authoritiesOf(connections: readonly ConnectionFacts[]): string | undefined {
  const bundles = [
    ...new Set(connections.flatMap(({ caBundle }) => (caBundle === undefined ? [] : [caBundle.trim()]))),
  ];
  return bundles.length === 0 ? undefined : `${bundles.join('\n')}\n`;
}

/** The driver's own rule for users: `user@domain` or `DOMAIN\user`. */
export function hasDomain(user: string): boolean {
  return /^[^@\\]+@[^@\\]+$/.test(user) || /^[^@\\]+\\[^@\\]+$/.test(user);
}

/** The keys of a Secret that holds the account: colons are not allowed there. */
export function isKeyable(server: string): boolean {
  return !isIPv6(server) && /^[-._a-zA-Z0-9]+$/.test(server);
}
