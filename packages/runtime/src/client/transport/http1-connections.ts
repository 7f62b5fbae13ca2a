import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { toConnectionError } from '../connection-error.js';
import type { Connection } from './connect.js';
import { copyHeaders, type TransportRequest, type TransportResponse } from './transport.js';

type Opened = (error: Error | null, socket?: Duplex) => void;

/** A Node HTTP agent whose keep-alive pool uses the sockets that `connect` opens, with TLS and proxy tunnel. */
class ConnectionAgent extends Agent {
  readonly #open: () => Promise<Connection>;
  #spare: Connection | undefined;

  constructor(open: () => Promise<Connection>, first: Connection) {
    super({ keepAlive: true, maxFreeSockets: 8, timeout: 90_000 });
    this.#open = open;
    this.#spare = first;
  }

  override createConnection(_options: unknown, opened: Opened): undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined && !spare.socket.destroyed) {
      opened(null, spare.socket);
      return;
    }
    this.#open().then(
      ({ socket }) => opened(null, socket),
      (error: Error) => opened(error),
    );
  }

  override destroy(): void {
    this.#spare?.socket.destroy();
    super.destroy();
  }
}

/** HTTP/1.1 connections with one request at a time, for servers and proxies without HTTP/2. */
export class Http1Connections {
  readonly #agent: ConnectionAgent;
  readonly #server: URL;

  constructor(open: () => Promise<Connection>, first: Connection, server: URL) {
    this.#agent = new ConnectionAgent(open, first);
    this.#server = server;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void =>
        reject(request.signal.aborted ? request.signal.reason : toConnectionError(error, this.#server.origin));
      const call = requestHttp({
        agent: this.#agent,
        host: this.#server.hostname,
        method: request.method,
        path: request.path,
        headers: { ...headersOf(request), host: this.#server.host },
      });
      const abort = (): void => {
        call.destroy();
        // Fail the request here: without a connection it emits no event when it is destroyed.
        fail(request.signal.reason);
      };
      if (request.signal.aborted) abort();
      else request.signal.addEventListener('abort', abort, { once: true });
      call.once('close', () => request.signal.removeEventListener('abort', abort));
      call.on('error', fail);
      call.once('response', (response) => resolve(this.#answer(call, response, request.signal)));
      call.end(request.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #answer(call: ClientRequest, response: IncomingMessage, signal: AbortSignal): TransportResponse {
    const headers = new Map<string, string>();
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    return { status: response.statusCode ?? 0, headers, body: this.#body(call, response, signal) };
  }

  async *#body(call: ClientRequest, response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) yield chunk;
    } catch (error) {
      throw signal.aborted ? signal.reason : toConnectionError(error, this.#server.origin);
    } finally {
      if (!response.complete) call.destroy();
    }
    if (signal.aborted) throw signal.reason;
  }
}

function headersOf(request: TransportRequest): Record<string, string | string[]> {
  const headers = copyHeaders(request.headers);
  if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body));
  return headers;
}
