/** clientConfig of a webhook configuration or CRD. Exactly one of `url` and `service` is set. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64-encoded PEM; absent or empty uses the system roots. */
  readonly caBundle?: string;
}

/** A parsed clientConfig. Host and port are kept as written, because error messages quote them. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly authority: string;
  readonly path: string;
  /** The DNS name that the certificate must be valid for; empty to verify the host. */
  readonly serverName: string;
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly certificates: string | undefined;
}

const portDefault = 443;

/** Parses a clientConfig. Throws if it has neither URL nor service. */
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
    path: cleanPath(pathname),
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
    path: cleanPath(`/${path}`),
    serverName,
    service: { namespace, name },
    certificates,
  };
}

/** Normalises a path. Like upstream, drops repeated and trailing slashes. */
function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

function certificatesOf(bundle: string | undefined): string | undefined {
  if (bundle === undefined || bundle === '') return undefined;
  return Buffer.from(bundle, 'base64').toString('utf8');
}
