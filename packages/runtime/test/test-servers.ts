import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { systemClock, systemRandom } from '@slipway/base';
import {
  certificateToPem,
  clientTemplate,
  createCa,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';

const dependencies = { clock: systemClock, random: systemRandom };

export interface TestPki {
  readonly ca: string;
  serving(names: readonly string[]): Promise<{ cert: string; key: string }>;
  client(user: string): Promise<{ cert: string; key: string }>;
}

export async function createTestPki(): Promise<TestPki> {
  const authority = await createCa(dependencies, { commonName: 'test-ca', key: await generatePrivateKey('ECDSA') });
  const issue = async (template: Parameters<typeof issueCertificate>[2]): Promise<{ cert: string; key: string }> => {
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(dependencies, authority, template, publicKeyOf(key));
    return { cert: certificateToPem(certificate), key: privateKeyToPem(key) };
  };
  return {
    ca: certificateToPem(authority.certificate),
    serving: (names) => issue(servingTemplate('server', [...names])),
    client: (user) => issue(clientTemplate(user, [])),
  };
}

/** The response object of the servers below. */
export interface Answering {
  writeHead(status: number, headers?: Record<string, string>): unknown;
  write(chunk: string): unknown;
  end(chunk: string): unknown;
}
export type Handle = (path: string, answer: Answering, peer: string) => void;

export interface TestServer {
  readonly port: number;
  readonly sessions: Set<ServerHttp2Session>;
  connections: number;
  close(): Promise<void>;
}

export async function startHttp2(tls: { cert: string; key: string; ca: string }, handle: Handle): Promise<TestServer> {
  const server = createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: false });
  server.on('request', (request, response) => {
    const socket = request.stream.session?.socket as
      | { getPeerCertificate?: () => { subject?: { CN?: string } } }
      | undefined;
    handle(request.url, response, socket?.getPeerCertificate?.().subject?.CN ?? '');
  });
  return listening(server);
}

export async function startHttp1(tls: { cert: string; key: string }, handle: Handle): Promise<TestServer> {
  return listening(createHttpsServer(tls, (request, response) => handle(request.url ?? '', response, '')));
}

async function listening(server: Http2SecureServer | HttpServer): Promise<TestServer> {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  const running = { connections: 0 };
  server.on('connection', (socket: Socket) => {
    running.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  const port = await listen(server as Server);
  return Object.assign(running, {
    port,
    sessions,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

/** Starts an HTTP proxy that opens tunnels. Requires basic authentication if a password is set. */
export async function startProxy(password = ''): Promise<TestServer & { readonly tunnels: string[] }> {
  const server = createHttpServer();
  const tunnels: string[] = [];
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const expected = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    if (password !== '' && request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    tunnels.push(request.url ?? '');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  return Object.assign(await listening(server), { tunnels });
}

/** Starts a relay that forwards bytes until `dropTraffic` is called: simulates a network black hole. */
export async function startRelay(port: number): Promise<TestServer & { dropTraffic(): void }> {
  let isDropping = false;
  const server = createTcpServer((socket) => {
    const target = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => void (isDropping || target.write(chunk)));
    target.on('data', (chunk) => void (isDropping || socket.write(chunk)));
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  const running = await listening(server as unknown as HttpServer);
  return Object.assign(running, {
    dropTraffic: () => {
      isDropping = true;
    },
  });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
