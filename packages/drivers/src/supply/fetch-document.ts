import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:tls';
import type { Socket } from 'node:net';
import type { Clock } from '@slipway/base';
import { DriverError } from '../api/index.js';

interface FetchedDocument {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

export type FetchDocument = (
  url: string,
  options: { readonly etag?: string | undefined; readonly signal: AbortSignal },
) => Promise<FetchedDocument>;

const timeoutMs = 30_000;
const bytesMax = 5 * 1024 * 1024;
const redirectsMax = 5;

/**
 * Returns a function that sends GET requests over HTTP or HTTPS, with the proxy of the environment. Redirects from https to http
 * are rejected.
 */
export function createFetch(clock: Clock, env: NodeJS.ProcessEnv = process.env): FetchDocument {
  return async (url, { etag, signal }) => {
    let address = new URL(url);
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      const response = await send(address, clock, env, etag, signal);
      const { statusCode = 0, headers } = response;
      if (statusCode < 300 || statusCode >= 400 || statusCode === 304 || headers.location === undefined)
        return { status: statusCode, text: await readText(response, url), etag: headers.etag };
      response.resume();
      const next = new URL(headers.location, address);
      if (address.protocol === 'https:' && next.protocol !== 'https:')
        throw new DriverError(
          'TemplateUnavailable',
          `${url} redirects from https to ${next.protocol.replace(':', '')}; such redirects are not followed`,
        );
      address = next;
    }
    throw new DriverError('TemplateUnavailable', `${url} redirects more than ${redirectsMax} times`);
  };
}

async function send(
  address: URL,
  clock: Clock,
  env: NodeJS.ProcessEnv,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = address.protocol === 'https:';
  const proxy = proxyOf(address, env);
  const headers = { host: address.host, ...(etag !== undefined && { 'if-none-match': etag }) };
  const path = `${address.pathname}${address.search}`;
  let options: RequestOptions = {
    method: 'GET',
    host: hostOf(address),
    port: portOf(address),
    path,
    headers,
    agent: false,
  };
  if (proxy !== undefined && isSecure) {
    const socket = await openTunnel(proxy, address, signal);
    options = { ...options, createConnection: () => connect({ socket, servername: hostOf(address) }) };
  } else if (proxy !== undefined) {
    options = { ...options, host: hostOf(proxy), port: portOf(proxy), path: address.href };
  }
  return new Promise((resolve, reject) => {
    const call = (isSecure ? requestSecure : requestPlain)({ ...options, signal });
    const timer = clock.setTimer(timeoutMs, () => call.destroy(new Error(`no response within ${timeoutMs / 1_000} s`)));
    call.on('error', (error) => {
      timer.cancel();
      reject(
        new DriverError('TemplateUnavailable', `${address.origin} is not reachable: ${error.message}`, {
          cause: error,
        }),
      );
    });
    call.once('response', (response) => {
      response.once('close', () => timer.cancel());
      resolve(response);
    });
    call.end();
  });
}

function proxyOf(address: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const of = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? '';
  const excluded = of('no_proxy')
    .split(',')
    .map((part) => part.trim().replace(/^\*?\./, ''))
    .filter((part) => part !== '');
  const { hostname } = address;
  if (excluded.some((part) => part === '*' || hostname === part || hostname.endsWith(`.${part}`))) return undefined;
  const proxy = of(address.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  return proxy === '' ? undefined : new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

function openTunnel(proxy: URL, address: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${address.hostname}:${portOf(address)}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: authority,
    ...(proxy.username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  return new Promise((resolve, reject) => {
    const call = requestPlain({
      method: 'CONNECT',
      host: hostOf(proxy),
      port: portOf(proxy),
      path: authority,
      headers,
      agent: false,
      signal,
    });
    call.once('connect', (response, socket) => {
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(
        new DriverError(
          'TemplateUnavailable',
          `the proxy ${proxy.host} returned status ${response.statusCode ?? 0} for ${authority}`,
        ),
      );
    });
    // The listener stays attached after the request releases the tunneled socket: an error before the next request would crash
    // the process.
    call.once('socket', (socket) => socket.on('error', () => socket.destroy()));
    call.on('error', (error) =>
      reject(
        new DriverError('TemplateUnavailable', `the proxy ${proxy.host} is not reachable: ${error.message}`, {
          cause: error,
        }),
      ),
    );
    call.end();
  });
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

async function readText(response: IncomingMessage, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      response.destroy();
      throw new DriverError('TemplateUnavailable', `${url} is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
