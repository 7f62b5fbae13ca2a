import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Clock, Timer } from '@slipway/base';
import { ConnectionError, toConnectionError } from '../connection-error.js';
import type { Connection } from './connect.js';
import { copyHeaders, type TransportRequest, type TransportResponse } from './transport.js';

const pingIntervalMs = 30_000;
const pingTimeoutMs = 15_000;
/**
 * Flow control window of a stream. Watches of large collections arrive in bursts, for which the default of 64 KiB would cost many
 * round trips.
 */
const streamWindow = 4 * 1024 * 1024;
const connectionWindow = 32 * 1024 * 1024;
/** Memory limit of a session. Node's default of 10 MiB rejects new streams while several large lists are in transit. */
const sessionMemoryMebibytes = 256;
/** Maximum number of streams until the server sends its own limit. Excess streams would queue behind watches, which never end. */
const streamsMaxDefault = 100;

/**
 * An HTTP/2 connection, which serves many concurrent requests. When the server stops responding to pings, the
 * connection is closed and its requests fail.
 */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #server: string;
  readonly #clock: Clock;
  #active = 0;
  #closing = false;
  #goneAway = false;
  #timer: Timer | undefined;

  constructor(connection: Connection, server: string, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    this.#session = connect(server, {
      createConnection: () => connection.socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      maxSessionMemory: sessionMemoryMebibytes,
    });
    this.#session.setMaxListeners(0);
    this.#session.once('connect', () => this.#session.setLocalWindowSize(connectionWindow));
    this.#session.on('goaway', () => {
      this.#goneAway = true;
    });
    // Each request of the session also gets the error. Without this listener the error would end the process.
    this.#session.on('error', () => {
      this.#goneAway = true;
    });
  }

  /** Whether new requests may be sent on this connection. */
  get usable(): boolean {
    return !this.#closing && !this.#goneAway && !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    const allowed = this.#session.remoteSettings?.maxConcurrentStreams ?? streamsMaxDefault;
    return this.#active < Math.min(allowed, streamsMaxDefault);
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(
        {
          ...copyHeaders(request.headers),
          [constants.HTTP2_HEADER_METHOD]: request.method,
          [constants.HTTP2_HEADER_PATH]: request.path,
        },
        { endStream: request.body === undefined },
      );
    } catch (error) {
      this.#goneAway = true;
      return Promise.reject(toConnectionError(error, this.#server));
    }
    this.#started(stream, request.signal);
    if (request.body !== undefined) stream.end(request.body);
    return new Promise((resolve, reject) => {
      stream.once('response', (headers) => {
        const fields = new Map<string, string>();
        for (const [name, value] of Object.entries(headers)) {
          if (value !== undefined) fields.set(name, Array.isArray(value) ? value.join(', ') : String(value));
        }
        resolve({
          status: Number(fields.get(':status') ?? 0),
          headers: fields,
          body: this.#body(stream, request.signal),
        });
      });
      stream.once('error', (error) => reject(this.#failure(error, request.signal)));
      stream.once('close', () => reject(this.#failure(closedEarly(stream), request.signal)));
    });
  }

  /** Accepts no new requests, and closes the connection when the requests in progress have finished. */
  retire(): void {
    this.#closing = true;
    this.#session.close();
  }

  destroy(): void {
    this.#closing = true;
    this.#timer?.cancel();
    // Pass an error: without it, aborted streams would look as if they had ended normally.
    this.#session.destroy(new ConnectionError('closed', `the client of ${this.#server} is closed`));
  }

  async *#body(stream: ClientHttp2Stream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let complete = false;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
      complete = true;
    } catch (error) {
      complete = true;
      throw this.#failure(error, signal);
    } finally {
      if (!complete) stream.close(constants.NGHTTP2_CANCEL);
    }
    // Check the signal: a stream that was reset without an error code looks like one that ended normally.
    if (signal.aborted) throw signal.reason;
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw this.#failure(closedEarly(stream), signal);
  }

  #failure(error: unknown, signal: AbortSignal): unknown {
    return signal.aborted ? signal.reason : toConnectionError(error, this.#server);
  }

  #started(stream: ClientHttp2Stream, signal: AbortSignal): void {
    this.#active += 1;
    const abort = (): void => stream.close(constants.NGHTTP2_CANCEL);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    stream.once('close', () => {
      signal.removeEventListener('abort', abort);
      this.#active -= 1;
      if (this.#active === 0) this.#timer?.cancel();
    });
    if (this.#active === 1) this.#schedulePing();
  }

  #schedulePing(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(pingIntervalMs, () => this.#ping());
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    this.#timer = this.#clock.setTimer(pingTimeoutMs, () => {
      this.#session.destroy(new ConnectionError('reset', `${this.#server} stopped responding on this connection`));
    });
    const waiting = this.#timer;
    this.#session.ping((error) => {
      waiting.cancel();
      if (error === null && this.#active > 0) this.#schedulePing();
    });
  }
}

function closedEarly(stream: ClientHttp2Stream): Error {
  const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  return Object.assign(new Error(refused ? 'NGHTTP2_REFUSED_STREAM' : `stream closed with code ${stream.rstCode}`), {
    code: 'ERR_HTTP2_STREAM_ERROR',
  });
}
