import { type ClientHttp2Session, connect as connectHttp2, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { EtcdError, type EtcdReason, type EtcdStep } from './etcd-state.js';
import { decodeFrame, encodeFrame, type Rpc } from './protocol/index.js';

/** The trusted CA, the client certificate and its key, all in PEM. */
export interface EtcdCredentials {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const answerBytesMax = 4 * 1024 * 1024;
/** More than the members of any cluster. Sessions of deleted machines are evicted. */
const sessionsMax = 16;

/** Parsed credentials, and the TLS session of the last connection to each endpoint. */
interface SessionCache {
  readonly context: SecureContext;
  readonly sessions: Map<string, Buffer>;
}

/** TLS sessions for resumption: a full handshake is the largest cost of an etcd call, and every reconcile makes calls. */
const sessionCaches = new WeakMap<EtcdCredentials, SessionCache>();

function remember(sessions: Map<string, Buffer>, endpoint: string, session: Buffer): void {
  sessions.delete(endpoint);
  const [oldest] = sessions.keys();
  if (sessions.size >= sessionsMax && oldest !== undefined) sessions.delete(oldest);
  sessions.set(endpoint, session);
}

function acquaintanceOf(credentials: EtcdCredentials): SessionCache {
  const cached = sessionCaches.get(credentials);
  if (cached !== undefined) return cached;
  const { authority: ca, certificate: cert, key } = credentials;
  const context = createSecureContext({ ca, cert, key, minVersion: 'TLSv1.2', allowPartialTrustChain: true });
  const made: SessionCache = { context, sessions: new Map() };
  sessionCaches.set(credentials, made);
  return made;
}

/** gRPC client of one etcd member over a stream to its port. */
export class GrpcConnection {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #stream: Duplex;
  readonly #endpoint: string;
  /** The first error, which is the cause. Later errors are consequences and are ignored. */
  #failure: unknown;

  private constructor(socket: TLSSocket, stream: Duplex, endpoint: string) {
    this.#socket = socket;
    this.#stream = stream;
    this.#endpoint = endpoint;
    const fail = (error: unknown): void => {
      this.#failure ??= error;
    };
    socket.on('error', fail);
    this.#session = connectHttp2(`https://${endpoint}`, { createConnection: () => socket });
    this.#session.on('error', fail);
  }

  /**
   * Opens a connection. Verifies the certificate chain of the server but not its names: members are reached by the name of their
   * Pod, which no certificate contains. The name is still sent as SNI, because some servers select the certificate by it.
   */
  static open(
    stream: Duplex,
    endpoint: string,
    credentials: EtcdCredentials,
    signal: AbortSignal,
  ): Promise<GrpcConnection> {
    let cached: SessionCache;
    try {
      cached = acquaintanceOf(credentials);
    } catch (error) {
      stream.destroy();
      return Promise.reject(connectFailure(error, endpoint));
    }
    return GrpcConnection.#handshake(stream, endpoint, cached, signal);
  }

  static #handshake(
    stream: Duplex,
    endpoint: string,
    { context, sessions }: SessionCache,
    signal: AbortSignal,
  ): Promise<GrpcConnection> {
    return new Promise((resolve, reject) => {
      const session = sessions.get(endpoint);
      const socket = connectTls({
        socket: stream,
        servername: endpoint,
        ALPNProtocols: ['h2'],
        secureContext: context,
        ...(session === undefined ? {} : { session }),
        checkServerIdentity: () => undefined,
      });
      socket.on('session', (next) => remember(sessions, endpoint, next));
      let isOpen = false;
      const fail = (error: unknown): void => {
        if (isOpen) return;
        // The resumed session may be the cause of the failure, so drop it.
        sessions.delete(endpoint);
        socket.destroy();
        stream.destroy();
        reject(signal.aborted ? (signal.reason as Error) : connectFailure(error, endpoint));
      };
      const abort = (): void => fail(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      // Keep the listener: an unhandled error while no other code listens on the socket would crash the process.
      stream.on('error', fail);
      socket.on('error', fail);
      socket.once('close', () => fail(new Error('the connection was closed during the TLS handshake')));
      socket.once('secureConnect', () => {
        signal.removeEventListener('abort', abort);
        isOpen = socket.alpnProtocol === 'h2';
        if (isOpen) resolve(new GrpcConnection(socket, stream, endpoint));
        else fail(new Error('the server does not support HTTP/2'));
      });
    });
  }

  /** Makes one call. The signal of the caller sets the deadline. */
  call<Request, Response>(
    rpc: Rpc<Request, Response>,
    request: Partial<Request>,
    { step, signal }: { readonly step: EtcdStep; readonly signal: AbortSignal },
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#session.destroyed || this.#session.closed) {
        reject(this.#lost(step, new Error('the connection is closed')));
        return;
      }
      const stream = this.#session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: rpc.path,
        [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
        [constants.HTTP2_HEADER_TE]: 'trailers',
        [constants.HTTP2_HEADER_USER_AGENT]: 'slipway',
      });
      const abort = (): void => stream.close(constants.NGHTTP2_CANCEL);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      let fields: IncomingHttpHeaders = {};
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('response', (headers) => {
        fields = { ...fields, ...headers };
      });
      stream.on('trailers', (trailers) => {
        fields = { ...fields, ...trailers };
      });
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > answerBytesMax) stream.destroy(new Error(`the response is longer than ${answerBytesMax} bytes`));
        else chunks.push(chunk);
      });
      stream.on('error', (error) => {
        this.#failure ??= error;
      });
      stream.once('close', () => {
        signal.removeEventListener('abort', abort);
        try {
          if (signal.aborted) throw signal.reason;
          resolve(this.#answer(rpc, fields, Buffer.concat(chunks), step));
        } catch (error) {
          reject(error as Error);
        }
      });
      stream.end(encodeFrame(rpc.request.encode(request)));
    });
  }

  close(): void {
    this.#session.destroy();
    this.#socket.destroy();
    // TLS does not destroy an underlying stream that is not a socket.
    this.#stream.destroy();
  }

  #answer<Request, Response>(
    rpc: Rpc<Request, Response>,
    fields: IncomingHttpHeaders,
    body: Uint8Array,
    step: EtcdStep,
  ): Response {
    const status = fields['grpc-status'];
    if (status === undefined) throw this.#lost(step, this.#failure ?? statusError(fields));
    if (status !== '0') throw etcdRefusal(String(status), decodeMessage(fields['grpc-message']), step);
    try {
      return rpc.response.decode(decodeFrame(body));
    } catch (error) {
      throw new EtcdError('Protocol', step, `${this.#endpoint} sent an invalid response`, { cause: error });
    }
  }

  #lost(step: EtcdStep, error: unknown): EtcdError {
    const { reason, message } = connectFailure(this.#failure ?? error, this.#endpoint);
    return new EtcdError(reason, step, message, { cause: error });
  }
}

function statusError(fields: IncomingHttpHeaders): Error {
  const status: unknown = fields[':status'];
  return new Error(
    typeof status === 'number' ? `the server returned HTTP status ${status}` : 'the connection was closed',
  );
}

function connectFailure(error: unknown, endpoint: string): EtcdError {
  if (error instanceof EtcdError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const { code } = error as { readonly code?: unknown };
  // Matches OpenSSL errors about the server certificate, and TLS alerts about the client certificate.
  const isTrust = typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO_|ALERT|UNKNOWN_CA/.test(code);
  const reason: EtcdReason = isTrust ? 'Untrusted' : 'Unreachable';
  const what = isTrust ? `no trusted connection to ${endpoint}` : `no connection to ${endpoint}`;
  return new EtcdError(reason, 'connect', `${what}: ${text}`, { cause: error });
}

/** gRPC status codes. */
const deadlineExceeded = '4';
const unauthenticated = new Set(['7', '16']);

/** Maps a gRPC status code to a failure of etcd. */
export function etcdRefusal(status: string, message: string, step: EtcdStep): EtcdError {
  return new EtcdError(refusalReason(status, message), step, message === '' ? `gRPC status ${status}` : message);
}

function refusalReason(status: string, message: string): EtcdReason {
  if (/no leader|unhealthy cluster|not enough started members/.test(message)) return 'NoLeader';
  if (status === deadlineExceeded || /request timed out/.test(message)) return 'Timeout';
  return unauthenticated.has(status) ? 'Untrusted' : 'Refused';
}

/** Decodes a message that is percent-encoded by the rules of gRPC. */
function decodeMessage(text: string | readonly string[] | undefined): string {
  const first = typeof text === 'string' ? text : (text?.[0] ?? '');
  try {
    return decodeURIComponent(first);
  } catch {
    return first;
  }
}
