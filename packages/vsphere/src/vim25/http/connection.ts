import { Agent as PlainAgent, type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Clock, tlsTrust } from '@slipway/base';
import { VimConnectionError } from '../errors.js';
import { addressText, type ServerAddress } from './server-address.js';
import { verifyCertificate, type Trust } from './trust.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Half the time limit of a reconcile. With the same limit, a reconcile would end before it can report that vCenter does not
 * respond.
 */
const timeoutMsDefault = 30_000;
/** Maximum size of a response, enough for an inventory of ten thousand VMs. Larger responses are rejected. */
const responseBytesMax = 128 * 1024 * 1024;
const connectionsMax = 64;

type Opened = (error: Error | null, socket?: Socket) => void;

/** HTTP client of one server with keep-alive connections. The server certificate is verified before the first byte is sent. */
export class ServerConnection {
  readonly #agent: PlainAgent;
  readonly #opening = new Set<Socket>();

  constructor(
    readonly address: ServerAddress,
    readonly trust: Trust,
    readonly clock: Clock,
  ) {
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#agent = address.secure ? new SecureAgent({ ...options, maxCachedSessions: 0 }) : new PlainAgent(options);
    if (address.secure) {
      Object.assign(this.#agent, {
        createConnection: (_options: unknown, opened: Opened) => this.#open(opened),
      });
    }
  }

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#opening) socket.destroy();
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    const { address } = this;
    const { signal, body, timeoutMs = timeoutMsDefault } = request;
    const options: RequestOptions = {
      host: address.host,
      port: address.port,
      method: request.method,
      path: request.path,
      agent: this.#agent,
      headers: { ...request.headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    };
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const call = address.secure ? requestSecure(options) : requestPlain(options);
      // A request that has no socket yet reports its abort only once it gets one, which may take a minute. The promise is
      // therefore rejected here.
      const giveUp = (error: Error): void => {
        call.destroy(error);
        fail(error);
      };
      const timer = this.clock.setTimer(timeoutMs, () => giveUp(this.#timeout(timeoutMs)));
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const release = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: Error): void => {
        release();
        reject(signal?.aborted ? (signal.reason as Error) : toConnectionError(error, address));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      call.on('error', fail);
      call.once('response', (response) => {
        readText(response, call).then((text) => {
          release();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        }, fail);
      });
      call.end(body);
    });
  }

  #timeout(timeoutMs: number): Error {
    return new VimConnectionError(
      'timeout',
      `${addressText(this.address)} did not respond within ${timeoutMs / 1000} s`,
    );
  }

  #open(opened: Opened): void {
    const { host, port } = this.address;
    const socket = connectTls({
      host,
      port,
      servername: isIP(host) === 0 ? host : '',
      // The certificate is verified below, where a matching thumbprint is also accepted.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      ...this.trust.identity,
      ...tlsTrust(this.trust.caBundle),
    });
    this.#opening.add(socket);
    const timer = this.clock.setTimer(timeoutMsDefault, () => socket.destroy(this.#timeout(timeoutMsDefault)));
    const release = (): void => {
      timer.cancel();
      this.#opening.delete(socket);
    };
    let failure: Error = new Error('the connection was closed');
    // The listener is never removed: an error between two requests on the socket would otherwise crash the process.
    socket.on('error', (error) => {
      failure = error;
    });
    const fail = (): void => {
      release();
      opened(failure);
    };
    socket.once('close', fail);
    socket.once('secureConnect', () => {
      release();
      socket.off('close', fail);
      const problem = verifyCertificate(socket, this.trust, addressText(this.address), this.clock.now());
      if (problem === undefined) {
        opened(null, socket);
        return;
      }
      socket.destroy();
      opened(problem);
    });
  }
}

async function readText(response: IncomingMessage, call: { destroy(error: Error): void }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > responseBytesMax) {
      const error = new VimConnectionError('unavailable', `a response is larger than ${responseBytesMax} bytes`);
      call.destroy(error);
      throw error;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toConnectionError(error: Error, address: ServerAddress): Error {
  if (error instanceof VimConnectionError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const what = code === undefined ? error.message : `${code} ${error.message}`;
  return new VimConnectionError('unreachable', `${addressText(address)} is not reachable: ${what}`, { cause: error });
}
