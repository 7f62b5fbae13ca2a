import { isIP, type Socket, connect as connectTcp } from 'node:net';
import { request as requestHttp } from 'node:http';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { type Clock, tlsTrust } from '@slipway/base';
import { ConnectionError, toConnectionError } from '../connection-error.js';

export interface ConnectTarget {
  readonly server: URL;
  readonly proxy?: URL;
  /** Protocol to use. If absent, the server chooses. */
  readonly protocol?: 'http/1.1';
  /** TLS options. Absent for plain HTTP. */
  readonly tls?: {
    readonly ca?: string;
    readonly certificate?: string;
    readonly key?: string;
    readonly serverName?: string;
    readonly insecureSkipVerify?: boolean;
  };
}

export interface Connection {
  readonly socket: Socket;
  readonly protocol: 'h2' | 'http/1.1';
}

const connectTimeoutMs = 30_000;
const keepAliveMs = 30_000;

/** Opens one connection, through the proxy if one is set, and negotiates the protocol. */
export async function connect(target: ConnectTarget, clock: Clock, signal?: AbortSignal): Promise<Connection> {
  const origin = target.server.origin;
  const pending: { socket?: Socket } = {};
  let timedOut = false;
  const timer = clock.setTimer(connectTimeoutMs, () => {
    timedOut = true;
    pending.socket?.destroy();
  });
  const abort = (): void => void pending.socket?.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const raw = target.proxy === undefined ? await openTcp(target.server, pending) : await openTunnel(target, pending);
    signal?.throwIfAborted();
    raw.setKeepAlive(true, keepAliveMs);
    raw.setNoDelay(true);
    return target.tls === undefined
      ? { socket: raw, protocol: 'http/1.1' }
      : await startTls(raw, target, target.tls, pending);
  } catch (error) {
    pending.socket?.destroy();
    signal?.throwIfAborted();
    if (timedOut) {
      throw new ConnectionError('timeout', `no connection to ${origin} within ${connectTimeoutMs / 1000} s`, {
        unsent: true,
      });
    }
    throw toUnsent(toConnectionError(error, origin));
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** Marks an error as unsent: it happened before a request was written. */
function toUnsent(error: ConnectionError): ConnectionError {
  if (error.unsent) return error;
  return new ConnectionError(error.failure, error.message, { unsent: true, cause: error.cause });
}

function openTcp(server: URL, pending: { socket?: Socket }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: hostOf(server), port: portOf(server) });
    pending.socket = socket;
    // Keep this listener: an error while no other owner listens would crash the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('connect', () => resolve(socket));
  });
}

function openTunnel(target: ConnectTarget, pending: { socket?: Socket }): Promise<Socket> {
  const proxy = target.proxy as URL;
  const authority = `${target.server.hostname}:${portOf(target.server)}`;
  const headers: Record<string, string> = { host: authority };
  if (proxy.username !== '') {
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    headers['proxy-authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  }
  return new Promise((resolve, reject) => {
    const call = requestHttp({
      host: hostOf(proxy),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
    });
    call.once('socket', (socket) => {
      pending.socket = socket;
      // Keep this listener for the same reason as above: after the tunnel is open, the CONNECT request no longer listens.
      socket.on('error', reject);
    });
    call.on('error', reject);
    call.once('connect', (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else
        reject(new Error(`proxy ${proxy.host} refused the tunnel: ${response.statusCode} ${response.statusMessage}`));
    });
    call.end();
  });
}

function startTls(
  raw: Socket,
  { server, protocol }: ConnectTarget,
  tls: NonNullable<ConnectTarget['tls']>,
  pending: { socket?: Socket },
): Promise<Connection> {
  const host = hostOf(server);
  const options: ConnectionOptions = {
    socket: raw,
    host,
    // The certificate must match a configured server name instead of the address. An IP address is never sent as SNI.
    servername: tls.serverName ?? (isIP(host) === 0 ? host : ''),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
    ALPNProtocols: protocol === undefined ? ['h2', 'http/1.1'] : [protocol],
    minVersion: 'TLSv1.2',
    ...tlsTrust(tls.ca),
    ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  };
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connectTls(options);
    pending.socket = socket;
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed during the TLS handshake')));
    socket.once('secureConnect', () => {
      resolve({ socket, protocol: socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' });
    });
  });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
