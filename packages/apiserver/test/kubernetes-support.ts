import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, generatePrivateKey, privateKeyToPem } from '@slipway/pki';
import { ensureServerIdentity, KubernetesServer, openMemoryStore } from '../src/index.js';
import { request } from './server-support.js';

export interface Json {
  readonly [key: string]: unknown;
}

/** Starts a complete in-memory server on a free port and opens an administrator session. */
export async function startKubernetesServer(): Promise<{ server: KubernetesServer; session: ClientHttp2Session }> {
  const files = new Map<string, string>();
  const identity = await ensureServerIdentity({
    clock: systemClock,
    random: systemRandom,
    keys: { next: generatePrivateKey },
    files: {
      read: (name) => Promise.resolve(files.get(name)),
      write: (name, text) => Promise.resolve(void files.set(name, text)),
    },
  });
  const store = await openMemoryStore();
  const server = await KubernetesServer.start({
    store,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    identity,
  });
  const { port } = await server.listen({ port: 0 });
  const session = connect(`https://127.0.0.1:${port}`, {
    ca: certificateToPem(identity.authority.certificate),
    cert: certificateToPem(identity.admin.certificate),
    key: privateKeyToPem(identity.admin.key),
  });
  return { server, session };
}

export async function callJson(
  session: ClientHttp2Session,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; json: Json }> {
  const answer = await request(
    session,
    { ':method': method, ':path': path, ...headers },
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  );
  return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.text) as Json };
}
