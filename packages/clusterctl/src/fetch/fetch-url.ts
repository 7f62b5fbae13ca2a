import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '@slipway/base';
import { ClusterctlError } from '../clusterctl-error.js';

/** How files come over the network. */
export interface FetchWorld {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Trusted beside the authorities of Node: for tests. NODE_EXTRA_CA_CERTS does it for users. */
  readonly certificateAuthority?: string;
}

export interface FetchOptions {
  /** GET unless told otherwise. Redirects are followed of GET only. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Somebody said in so many words that this host is to be trusted without a certificate. */
  readonly plainHttp?: boolean;
}

export interface FetchedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const timeoutMsDefault = 30_000;
const redirectsMax = 5;
// Components of the largest providers have a few megabytes.
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * One request over HTTPS, or over HTTP where that was allowed, redirects followed. Every status is an answer; what is thrown says
 * which address and why.
 */
export async function fetchUrl(url: string, world: FetchWorld, options: FetchOptions = {}): Promise<FetchedResponse> {
  let address = parseAddress(url, options);
  let headers = options.headers ?? {};
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const response = await getOnce(address, world, { ...options, headers });
    const { location } = response.headers;
    const isRedirected = response.status >= 300 && response.status < 400 && (options.method ?? 'GET') === 'GET';
    if (!isRedirected || location === undefined) return response;
    const next = parseAddress(new URL(location, address).href, options);
    // Credentials are for the host that they were given for.
    if (next.host !== address.host) headers = withoutCredentials(headers);
    address = next;
  }
  throw new ClusterctlError(`${url} redirects more than ${redirectsMax} times`);
}

function parseAddress(url: string, { plainHttp = false }: FetchOptions): URL {
  const address = new URL(url);
  if (address.protocol === 'https:' || (plainHttp && address.protocol === 'http:')) return address;
  throw new ClusterctlError(`${url} is not fetched: only https is trusted`, {
    remedy: 'serve it over https, or download it and name the file',
  });
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));
}

async function getOnce(address: URL, world: FetchWorld, options: FetchOptions): Promise<FetchedResponse> {
  const { clock, certificateAuthority } = world;
  const { timeoutMs = timeoutMsDefault, headers = {}, method = 'GET', body } = options;
  const patience = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => patience.abort(new Error(`no answer within ${timeoutMs / 1_000} s`)));
  const signal = world.signal === undefined ? patience.signal : AbortSignal.any([world.signal, patience.signal]);
  try {
    return await send(address, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
      ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
    });
  } catch (error) {
    world.signal?.throwIfAborted();
    const cause: unknown = patience.signal.aborted ? patience.signal.reason : error;
    throw new ClusterctlError(
      `cannot fetch ${shown(address)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        remedy: 'is the host reachable from here? Behind an own authority, name its file in NODE_EXTRA_CA_CERTS',
        cause,
      },
    );
  } finally {
    timer.cancel();
  }
}

/** Without what may be secret. */
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
        if (bytes > bodyBytesMax) response.destroy(new Error(`it is larger than ${bodyBytesMax / 1024 / 1024} MiB`));
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

/** The text behind an address; undefined when there is none. */
export async function fetchText(
  url: string,
  world: FetchWorld,
  options: FetchOptions = {},
): Promise<string | undefined> {
  const { status, body } = await fetchUrl(url, world, options);
  if (status === 404 || status === 410) return undefined;
  if (status !== 200) throw new ClusterctlError(`cannot fetch ${shown(new URL(url))}: got ${status}`);
  return body.toString('utf8');
}
