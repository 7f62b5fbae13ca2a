import { isIPv6 } from 'node:net';

/** Address of a vCenter, parsed from a host, a host with port, or a URL. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Path of the vim25 API. */
  readonly path: string;
}

export function parseServerAddress(server: string): ServerAddress {
  const text = server.trim();
  const withScheme = text.includes('://') ? text : `https://${isIPv6(text) ? `[${text}]` : text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === '' || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`invalid server '${server}': must be a host name, an IP address or an https URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('the server must not contain credentials; put them into the identity Secret');
  }
  const secure = url.protocol === 'https:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    path: url.pathname === '/' ? '/sdk' : url.pathname,
  };
}

/** Returns one text for all notations of the same server. */
export function addressText({ host, port, secure, path }: ServerAddress): string {
  return `${secure ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
}
