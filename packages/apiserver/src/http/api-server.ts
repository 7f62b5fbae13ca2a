import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type Clock, type HttpResponse, listenOn, type Logger, sleep } from '@slipway/base';
import type { ApiHandler } from './api-handler.js';
import { ConnectionInfo } from './connection-info.js';
import { TurnQueue } from './flow-control/turn-queue.js';
import { http1Request, sendHttp1 } from './http1-transport.js';
import { http2Request, sendHttp2 } from './http2-transport.js';
import type { PortForwarder } from './port-forward/port-forwarder.js';
import { serveUpgrade } from './port-forward/upgrade.js';
import { SessionTracker } from './session-tracker.js';

export interface ServingCertificate {
  /** PEM, leaf certificate first. */
  readonly certificate: string;
  readonly key: string;
}

export interface ApiServerOptions {
  readonly handler: ApiHandler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly certificate: ServingCertificate;
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Called before the first request is handled. A TLS handshake alone does not count as a request. */
  readonly onFirstRequest?: () => void;
  /** Connects to pod ports. Without it, port forwarding is rejected. */
  readonly portForwarder?: PortForwarder;
  /** Time that open requests have to complete after `close`. */
  readonly drainMs?: number;
}

const limits = {
  streamsPerConnection: 1_000,
  connections: 10_000,
  headerBytes: 64 * 1024,
  headersTimeoutMs: 32_000,
  requestTimeoutMs: 90_000,
  keepAliveMs: 90_000,
  handshakeTimeoutMs: 10_000,
  keepAliveProbeMs: 30_000,
  sessionMemoryMegabytes: 32,
  drainMs: 10_000,
  // Time that a client gets to read the end of its watches, and after that to close its side of the connection.
  lingerMs: 1_000,
} as const;

/** Serves the API on a TLS port, with HTTP/2 or HTTP/1.1 as negotiated. */
export class ApiServer {
  readonly #tls: HttpsServer;
  readonly #http2: Http2Server;
  readonly #sockets = new Set<TLSSocket>();
  /**
   * Accepted connections before the TLS handshake, by remote address: the only property that the TCP and the TLS socket of a
   * connection share.
   */
  readonly #unsecured = new Map<string, Duplex>();
  /** Upgraded connections. Shutdown does not wait for them. */
  readonly #upgraded = new Set<Duplex>();
  readonly #sessions: SessionTracker;
  /** Watch streams. They never end by themselves, so shutdown does not wait for them to drain. */
  readonly #streaming = new Set<{ destroy(): void }>();
  readonly #connections = new WeakMap<object, ConnectionInfo>();
  readonly #turns: TurnQueue;
  #isVisited = false;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: ApiServerOptions) {
    this.#turns = new TurnQueue(options.clock);
    this.#sessions = new SessionTracker(options.clock);
    this.#http2 = this.#createHttp2();
    this.#tls = this.#createTls();
  }

  async listen(): Promise<AddressInfo> {
    const { host, port } = this.options;
    const onError = (error: Error): void => this.options.logger.error({ err: error }, 'Failed to accept connection');
    return listenOn(this.#tls, { port, ...(host !== undefined && { host }) }, onError);
  }

  get listening(): boolean {
    return this.#tls.listening;
  }

  /** Serves a connection that the caller accepted. */
  accept(socket: Duplex): void {
    this.#tls.emit('connection', socket);
  }

  address(): AddressInfo {
    const address = this.#tls.address();
    if (address === null || typeof address === 'string') throw new Error('the server is not listening on a port');
    return address;
  }

  /** Replaces the certificate for new connections. Open connections are not affected. */
  replaceCertificate({ certificate, key }: ServingCertificate): void {
    this.#tls.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
  }

  /** Ends watches cleanly, waits for open requests, then closes all connections. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#tls.close(() => resolve()));
    this.options.handler.shutdown();
    this.#sessions.close();
    this.#tls.closeIdleConnections();
    for (const socket of this.#unsecured.values()) socket.destroy();
    const cut = this.options.clock.setTimer(limits.lingerMs, () => this.#cutStreaming());
    for (const socket of this.#upgraded) socket.destroy();
    const drained = new AbortController();
    const deadline = sleep(this.options.clock, this.options.drainMs ?? limits.drainMs, { signal: drained.signal });
    await Promise.race([closed, deadline.catch(() => undefined)]);
    drained.abort();
    cut.cancel();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #createTls(): HttpsServer {
    const { certificate, key } = this.options.certificate;
    const server = createHttpsServer({
      cert: certificate,
      key,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['h2', 'http/1.1'],
      requestCert: true,
      // The handshake accepts any client certificate; the authenticator verifies it.
      rejectUnauthorized: false,
      handshakeTimeout: limits.handshakeTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.headerBytes,
      noDelay: true,
    });
    server.maxConnections = limits.connections;
    // The listener that https installs speaks HTTP/1.1 on every socket; pass it only those that did not negotiate HTTP/2.
    const http1Listeners = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
    server.removeAllListeners('secureConnection');
    server.on('connection', (socket) => this.#trackUnsecured(socket));
    server.on('secureConnection', (socket) => {
      this.#unsecured.delete(placeOf(socket));
      this.#track(socket);
      if (socket.alpnProtocol === 'h2') this.#http2.emit('connection', socket);
      else for (const listener of http1Listeners) listener.call(server, socket);
    });
    server.on('request', (request, response) => {
      const connection = this.#connectionOf(request.socket as TLSSocket);
      // Ignore the error of a client that disconnected: the request is notified through 'close'.
      response.on('error', () => undefined);
      response.on('close', () => this.#closeIdle());
      this.#visited();
      connection.run(() => this.#serveHttp1(request, response, connection));
    });
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('tlsClientError', (error) => this.options.logger.debug({ err: error }, 'TLS handshake failed'));
    return server;
  }

  #visited(): void {
    if (this.#isVisited) return;
    this.#isVisited = true;
    this.options.onFirstRequest?.();
  }

  #upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#visited();
    const connection = this.#connectionOf(message.socket as TLSSocket);
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    const response = new ServerResponse(message);
    const { handler, logger, portForwarder } = this.options;
    const request = http1Request(message, response, connection);
    serveUpgrade(message, socket, head, request, { handler, logger, forwarder: portForwarder }).catch(
      (error: unknown) => this.#broken(error, () => socket.destroy()),
    );
  }

  #createHttp2(): Http2Server {
    const server = createHttp2Server({
      maxSessionMemory: limits.sessionMemoryMegabytes,
      settings: {
        maxConcurrentStreams: limits.streamsPerConnection,
        maxHeaderListSize: limits.headerBytes,
        initialWindowSize: 256 * 1024,
      },
    });
    server.on('session', (session) => this.#openSession(session));
    server.on('sessionError', (error) => this.options.logger.debug({ err: error }, 'HTTP/2 session failed'));
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: string[]) => {
      // Ignore the error event of a client's reset: the handler is notified through 'close'.
      stream.on('error', () => undefined);
      // Destroy a stream that was reset without an error code: its unsent data would otherwise stay pending and keep it open.
      stream.on('aborted', () => stream.destroy());
      const connection = this.#connectionOf(stream.session ?? stream);
      this.#sessions.count(stream);
      this.#visited();
      connection.run(() => this.#serveHttp2(stream, headers, raw, connection));
    });
    return server;
  }

  #serveHttp1(request: IncomingMessage, response: ServerResponse, connection: ConnectionInfo): void {
    if (response.destroyed) return;
    this.options.handler
      .handle(http1Request(request, response, connection))
      .then((answer) => sendHttp1(response, this.#withClose(this.#noteStream(answer, response)), this.options.clock))
      .catch((error: unknown) => this.#broken(error, () => response.destroy()));
  }

  #serveHttp2(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    raw: string[],
    connection: ConnectionInfo,
  ): void {
    if (stream.destroyed) return;
    this.options.handler
      .handle(http2Request(stream, headers, raw, connection))
      .then((answer) => sendHttp2(stream, this.#noteStream(answer, stream), this.options.clock))
      .catch((error: unknown) => this.#broken(error, () => stream.close()));
  }

  #openSession(session: ServerHttp2Session): void {
    this.#connections.set(session, new ConnectionInfo(session.socket as TLSSocket, this.#turns));
    this.#sessions.add(session);
    if (this.#closing !== undefined) session.close();
  }

  #trackUnsecured(socket: Duplex): void {
    const place = placeOf(socket);
    this.#unsecured.set(place, socket);
    socket.once('close', () => {
      if (this.#unsecured.get(place) === socket) this.#unsecured.delete(place);
    });
    if (this.#closing !== undefined) socket.destroy();
  }

  #track(socket: TLSSocket): void {
    this.#sockets.add(socket);
    // All data was sent. During shutdown, destroy the connection after a delay, because an unresponsive peer would never close
    // its side.
    socket.once('finish', () => {
      if (this.#closing === undefined || socket.destroyed) return;
      const timer = this.options.clock.setTimer(limits.lingerMs, () => socket.destroy());
      socket.once('close', () => timer.cancel());
    });
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // TCP keepalive detects vanished peers. A connection with an idle watch would never notice them.
    socket.setKeepAlive(true, limits.keepAliveProbeMs);
  }

  #connectionOf(key: object): ConnectionInfo {
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const made = new ConnectionInfo(key as TLSSocket, this.#turns);
    this.#connections.set(key, made);
    return made;
  }

  #noteStream(answer: HttpResponse, stream: ServerResponse | ServerHttp2Stream): HttpResponse {
    if (typeof answer.body === 'function' && !stream.destroyed) {
      this.#streaming.add(stream);
      stream.once('close', () => this.#streaming.delete(stream));
    }
    return answer;
  }

  /** Destroys watch streams that did not drain within `lingerMs`. */
  #cutStreaming(): void {
    for (const stream of this.#streaming) stream.destroy();
  }

  /** Sends `Connection: close` to HTTP/1.1 clients during shutdown. */
  #withClose<T extends { readonly headers: Record<string, string | string[]> }>(answer: T): T {
    if (this.#closing !== undefined) answer.headers['connection'] = 'close';
    return answer;
  }

  /**
   * Closes idle keep-alive connections during shutdown. Without this, a connection whose last response has ended would stay open
   * until the deadline.
   */
  #closeIdle(): void {
    if (this.#closing !== undefined) setImmediate(() => this.#tls.closeIdleConnections());
  }

  #broken(error: unknown, abandon: () => void): void {
    this.options.logger.debug({ err: error }, 'Failed to complete the response');
    abandon();
  }
}

function placeOf(socket: Duplex): string {
  const { remoteAddress = '', remotePort = 0 } = socket as Partial<Pick<TLSSocket, 'remoteAddress' | 'remotePort'>>;
  return `${remoteAddress} ${remotePort}`;
}
