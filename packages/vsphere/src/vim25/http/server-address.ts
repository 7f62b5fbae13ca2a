import { isIPv6 } from 'node:net';

/** Where a vCenter listens, from what a user wrote: a host, a host with port, or a URL. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Where vim25 is served. */
  readonly path: string;
}

export function parseServerAddress(server: string): ServerAddress {
  const text = server.trim();
  const withScheme = text.includes('://') ? text : `https://${isIPv6(text) ? `[${text}]` : text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === '' || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`server '${server}' is no host name, address or https URL of a vCenter`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('a server must not carry credentials; put them into the identity Secret');
  }
  const secure = url.protocol === 'https:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    path: url.pathname === '/' ? '/sdk' : url.pathname,
  };
}

/** One text for every way to write the same server. */
export function addressText({ host, port, secure, path }: ServerAddress): string {
  return `${secure ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
}
