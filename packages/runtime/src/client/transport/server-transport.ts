import type { Socket } from 'node:net';
import type { Clock } from '@slipway/base';
import type { ConnectionConfig } from '../connection-config.js';
import { ConnectionError } from '../connection-error.js';
import { readContent } from '../credentials/content.js';
import type { Credentials } from '../credentials/credentials.js';
import { connect, type Connection, type ConnectTarget } from './connect.js';
import { Http1Connections } from './http1-connections.js';
import { Http2Connection } from './http2-connection.js';
import type { Transport, TransportRequest, TransportResponse, UpgradedConnection } from './transport.js';
import { requestUpgrade } from './upgrade.js';

/**
 * Connections to one server. Uses one HTTP/2 connection as long as it has room for more streams, and reopens it when it is lost.
 * Uses HTTP/1.1 if the server does not support HTTP/2.
 */
export class ServerTransport implements Transport {
  readonly #config: ConnectionConfig;
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #server: URL;
  #http2: Http2Connection[] = [];
  #http1: Http1Connections | undefined;
  #opening: Promise<void> | undefined;
  /** Sockets of upgraded connections. */
  readonly #upgraded = new Set<Socket>();
  #certificateVersion = 0;
  #closed = false;

  constructor(config: ConnectionConfig, credentials: Credentials, clock: Clock) {
    this.#config = config;
    this.#credentials = credentials;
    this.#clock = clock;
    this.#server = new URL(config.server);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    for (;;) {
      this.#checkOpen();
      request.signal.throwIfAborted();
      this.#dropStale();
      if (this.#http1 !== undefined) return this.#http1.send(request);
      const usable = this.#http2.find((one) => one.hasRoom);
      if (usable !== undefined) return usable.send(request);
      await untilAborted(this.#openOnce(), request.signal);
    }
  }

  async upgrade(request: TransportRequest): Promise<UpgradedConnection | TransportResponse> {
    this.#checkOpen();
    request.signal.throwIfAborted();
    // A protocol upgrade needs a dedicated connection.
    const target = await this.#target();
    const { socket } = await connect({ ...target, protocol: 'http/1.1' }, this.#clock, request.signal);
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    if (this.#closed) socket.destroy();
    return requestUpgrade(socket, this.#server, request);
  }

  close(): void {
    this.#closed = true;
    this.#http1?.close();
    for (const socket of this.#upgraded) socket.destroy();
    for (const one of this.#http2) one.destroy();
    this.#http2 = [];
  }

  #checkOpen(): void {
    if (this.#closed)
      throw new ConnectionError('closed', `the client of ${this.#server.origin} is closed`, { unsent: true });
  }

  /**
   * Retires connections that use an old client certificate. Their requests in progress finish; new requests open new connections.
   */
  #dropStale(): void {
    if (this.#certificateVersion !== this.#credentials.certificateVersion) {
      for (const one of this.#http2) one.retire();
      this.#http1?.close();
      this.#http1 = undefined;
      this.#http2 = [];
      return;
    }
    if (this.#http2.some((one) => !one.usable)) this.#http2 = this.#http2.filter((one) => one.usable);
  }

  #openOnce(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const connection = await this.#connect();
    if (this.#closed) {
      connection.socket.destroy();
    } else if (connection.protocol === 'h2') {
      this.#http2.push(new Http2Connection(connection, this.#server.origin, this.#clock));
    } else {
      this.#http1 = new Http1Connections(() => this.#connect(), connection, this.#server);
    }
  }

  async #connect(): Promise<Connection> {
    const target = await this.#target();
    const certificateVersion = this.#credentials.certificateVersion;
    const connection = await connect(target, this.#clock);
    this.#certificateVersion = certificateVersion;
    return connection;
  }

  async #target(): Promise<ConnectTarget> {
    const { proxyUrl, certificateAuthority, tlsServerName, insecureSkipTlsVerify } = this.#config;
    const base = { server: this.#server, ...(proxyUrl === undefined ? {} : { proxy: new URL(proxyUrl) }) };
    if (this.#server.protocol !== 'https:') return base;
    const own = await this.#credentials.certificate();
    return {
      ...base,
      tls: {
        ...(certificateAuthority === undefined
          ? {}
          : { ca: await readContent(certificateAuthority, 'CA certificate') }),
        ...(own === undefined ? {} : own),
        ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
        ...(insecureSkipTlsVerify === undefined ? {} : { insecureSkipVerify: insecureSkipTlsVerify }),
      },
    };
  }
}

/** Waits for work that several callers share. Aborting one of them does not abort the work. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
