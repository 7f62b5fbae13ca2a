import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOn } from '@slipway/base';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Handles a GET request. Undefined results in 404. */
export type Route = (path: string, query: URLSearchParams) => Answer | undefined | Promise<Answer | undefined>;

export interface EndpointOptions {
  /** Listen address as `host:port`, or `:port` for all interfaces. Port 0 selects a free port. */
  readonly address: string;
  readonly route: Route;
  /** Authorizes a request before the route is called. 401 and 403 reject it. */
  readonly authorize?: (request: { readonly authorization: string; readonly path: string }) => Promise<200 | 401 | 403>;
  readonly tls?: { readonly cert: string; readonly key: string; readonly minVersion?: 'TLSv1.2' | 'TLSv1.3' };
}

export interface Endpoint {
  readonly port: number;
  close(): Promise<void>;
}

const headersTimeoutMs = 10_000;

export function parseAddress(address: string): { readonly host: string | undefined; readonly port: number } {
  const colon = address.lastIndexOf(':');
  const digits = address.slice(colon + 1);
  const port = Number(digits);
  if (colon < 0 || !/^[0-9]{1,5}$/.test(digits) || port > 65_535)
    throw new RangeError(`address "${address}" must have the form host:port or :port`);
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { host: host === '' ? undefined : host, port };
}

/** Opens an HTTP server for health, metrics and debug endpoints. */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { host, port } = parseAddress(options.address);
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    respond(options, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? `${error.message}\n` : 'internal error\n');
    });
  };
  const server =
    options.tls === undefined
      ? createServer(onRequest)
      : createTlsServer({ minVersion: 'TLSv1.2', ...options.tls }, onRequest);
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = headersTimeoutMs;
  // Ignore failed accepts: the clients retry.
  const address = await listenOn(server, { port, ...(host !== undefined && { host }) }, () => undefined);
  return {
    port: address.port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(options: EndpointOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(response, { status: 405, body: 'method not allowed\n' });
    return;
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (options.authorize !== undefined) {
    const authorization = request.headers.authorization ?? '';
    const verdict = await options.authorize({ authorization, path: url.pathname });
    if (verdict !== 200) {
      send(response, { status: verdict, body: verdict === 401 ? 'unauthorized\n' : 'forbidden\n' });
      return;
    }
  }
  send(
    response,
    (await options.route(url.pathname, url.searchParams)) ?? { status: 404, body: '404 page not found\n' },
  );
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType ?? 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(answer.body);
}
