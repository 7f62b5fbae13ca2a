import { isIPv6 } from 'node:net';

/** The connection data for the driver configuration. Contains the password: never log it. */
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

/** File name of the CA certificates beside the configuration of each driver. */
export const authoritiesFile = 'ca.pem';

export function authoritiesOf(connections: readonly ConnectionFacts[]): string | undefined {
  const bundles = [
    ...new Set(connections.flatMap(({ caBundle }) => (caBundle === undefined ? [] : [caBundle.trim()]))),
  ];
  return bundles.length === 0 ? undefined : `${bundles.join('\n')}\n`;
}

/** Returns whether a user name has a domain: the CSI driver requires `user@domain` or `DOMAIN\user`. */
export function hasDomain(user: string): boolean {
  return /^[^@\\]+@[^@\\]+$/.test(user) || /^[^@\\]+\\[^@\\]+$/.test(user);
}

/** Returns whether the server can be part of a Secret key, which must not contain colons. */
export function isKeyable(server: string): boolean {
  return !isIPv6(server) && /^[-._a-zA-Z0-9]+$/.test(server);
}
