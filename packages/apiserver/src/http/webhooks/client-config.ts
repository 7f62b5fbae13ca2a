/** Where a webhook is reached, as configurations and definitions spell it. Exactly one of `url` and `service` is set. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64; absent or empty for the roots of the system. */
  readonly caBundle?: string;
}

/** A configuration taken apart. `authority` is kept as it was written, because error texts quote it. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly authority: string;
  readonly path: string;
  /** The name that the certificate must be for; empty to check the host itself. */
  readonly serverName: string;
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly certificates: string | undefined;
}

const portDefault = 443;

/** Throws when the configuration names no place to go to. */
export function destinationOf(config: ClientConfig): Destination {
  const certificates = certificatesOf(config.caBundle);
  if (config.service !== undefined) return serviceDestination(config.service, certificates);
  const url = config.url ?? '';
  if (!URL.canParse(url)) throw new Error('webhook configuration must have either service or URL');
  const { hostname, port, pathname, protocol } = new URL(url);
  if (protocol !== 'https:') throw new Error(`webhook URL must use https, not ${protocol.slice(0, -1)}`);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? portDefault : Number(port),
    authority: /^https:\/\/([^/?#]*)/i.exec(url)?.[1] ?? hostname,
    path: pathname,
    serverName: '',
    certificates,
  };
}

function serviceDestination(
  service: NonNullable<ClientConfig['service']>,
  certificates: string | undefined,
): Destination {
  const { namespace, name } = service;
  const serverName = `${name}.${namespace}.svc`;
  const port = service.port ?? portDefault;
  const path = service.path ?? '/';
  return {
    host: serverName,
    port,
    authority: `${serverName}:${port}`,
    path: path.startsWith('/') ? path : `/${path}`,
    serverName,
    service: { namespace, name },
    certificates,
  };
}

function certificatesOf(bundle: string | undefined): string | undefined {
  if (bundle === undefined || bundle === '') return undefined;
  return Buffer.from(bundle, 'base64').toString('utf8');
}
