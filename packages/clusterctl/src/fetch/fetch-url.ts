import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Clock, tlsTrust } from '@slipway/base';
import { ClusterctlError } from '../clusterctl-error.js';

/** Dependencies of network requests. */
export interface FetchDependencies {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** An additional trusted CA, for tests. Users set NODE_EXTRA_CA_CERTS. */
  readonly certificateAuthority?: string;
}

export interface FetchOptions {
  /** Defaults to GET. Redirects are followed for GET only. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Whether plain HTTP is allowed. Set only if the user requested it explicitly for this host. */
  readonly plainHttp?: boolean;
}

export interface FetchedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const timeoutMsDefault = 30_000;
const redirectsMax = 5;
// The components of the largest providers have a few megabytes, so larger bodies are rejected.
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * Sends one request over HTTPS, or HTTP if allowed, and follows redirects. Returns responses of every status. Errors contain the
 * URL and the reason.
 */
export async function fetchUrl(
  url: string,
  dependencies: FetchDependencies,
  options: FetchOptions = {},
): Promise<FetchedResponse> {
  let address = parseAddress(url, options);
  let headers = options.headers ?? {};
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const response = await getOnce(address, dependencies, { ...options, headers });
    const { location } = response.headers;
    const isRedirected = response.status >= 300 && response.status < 400 && (options.method ?? 'GET') === 'GET';
    if (!isRedirected || location === undefined) return response;
    const next = parseAddress(new URL(location, address).href, options);
    // Send credentials only to the original host.
    if (next.host !== address.host) headers = withoutCredentials(headers);
    address = next;
  }
  throw new ClusterctlError(`cannot fetch ${url}: more than ${redirectsMax} redirects`);
}

function parseAddress(url: string, { plainHttp = false }: FetchOptions): URL {
  const address = new URL(url);
  if (address.protocol === 'https:' || (plainHttp && address.protocol === 'http:')) return address;
  throw new ClusterctlError(`cannot fetch ${url}: only https URLs are allowed`, {
    remedy: 'use an https URL, or download the file and pass its path',
  });
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));
}

async function getOnce(address: URL, dependencies: FetchDependencies, options: FetchOptions): Promise<FetchedResponse> {
  const { clock, certificateAuthority } = dependencies;
  const { timeoutMs = timeoutMsDefault, headers = {}, method = 'GET', body } = options;
  const timeout = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => timeout.abort(new Error(`no response within ${timeoutMs / 1_000} s`)));
  const signal =
    dependencies.signal === undefined ? timeout.signal : AbortSignal.any([dependencies.signal, timeout.signal]);
  try {
    return await send(address, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
      ...tlsTrust(certificateAuthority),
    });
  } catch (error) {
    dependencies.signal?.throwIfAborted();
    const cause: unknown = timeout.signal.aborted ? timeout.signal.reason : error;
    throw new ClusterctlError(
      `cannot fetch ${shown(address)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        remedy:
          'check that the host is reachable; if it uses a private CA, set NODE_EXTRA_CA_CERTS to the file of the CA certificate',
        cause,
      },
    );
  } finally {
    timer.cancel();
  }
}

/** Returns the URL without credentials and query. */
function shown(address: URL): string {
  return `${address.origin}${address.pathname}`;
}

interface SendOptions {
  readonly method: string;
  readonly body?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly ca?: string;
}

function send(address: URL, options: SendOptions): Promise<FetchedResponse> {
  return new Promise((resolve, reject) => {
    const { body, ...rest } = options;
    const headers = {
      'user-agent': 'slipway',
      ...(body !== undefined && { 'content-length': String(body.length) }),
      ...options.headers,
    };
    const request = address.protocol === 'http:' ? requestHttp : requestHttps;
    const sent = request(address, { ...rest, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bodyBytesMax)
          response.destroy(new Error(`the response is larger than ${bodyBytesMax / 1024 / 1024} MiB`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Returns the text at a URL. Undefined if it does not exist. */
export async function fetchText(
  url: string,
  dependencies: FetchDependencies,
  options: FetchOptions = {},
): Promise<string | undefined> {
  const { status, body } = await fetchUrl(url, dependencies, options);
  if (status === 404 || status === 410) return undefined;
  if (status !== 200)
    throw new ClusterctlError(`cannot fetch ${shown(new URL(url))}: the server returned status ${status}`);
  return body.toString('utf8');
}
