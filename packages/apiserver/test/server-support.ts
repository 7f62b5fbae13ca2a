import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
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
import { ApiServer, type ServingCertificate } from '../src/http/api-server.js';
import { createBench, type TestBench } from '../src/http/test-support.js';
import type { ApiHandlerOptions } from '../src/http/api-handler.js';

const dependencies = { clock: systemClock, random: systemRandom };

interface TestPki {
  readonly ca: string;
  serving(commonName: string): Promise<ServingCertificate>;
  client(user: string, groups: readonly string[]): Promise<ServingCertificate>;
}

async function createTestPki(): Promise<TestPki> {
  const authority = await createCa(dependencies, {
    commonName: 'test-ca',
    key: await generatePrivateKey('ECDSA'),
  });
  const issue = async (template: Parameters<typeof issueCertificate>[2]): Promise<ServingCertificate> => {
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(dependencies, authority, template, publicKeyOf(key));
    return { certificate: certificateToPem(certificate), key: privateKeyToPem(key) };
  };
  return {
    ca: certificateToPem(authority.certificate),
    serving: (commonName) => issue(servingTemplate(commonName, ['localhost', '127.0.0.1'])),
    client: (user, groups) => issue(clientTemplate(user, groups)),
  };
}

export interface RunningServer extends TestBench {
  readonly server: ApiServer;
  readonly port: number;
  readonly pki: TestPki;
}

/** Starts the HTTP server on a free port with a fake registry, in real time. */
export async function startServer(changes: Partial<ApiHandlerOptions> = {}): Promise<RunningServer> {
  const pki = await createTestPki();
  const bench = createBench({ clock: systemClock, random: systemRandom, ...changes });
  const server = new ApiServer({
    handler: bench.handler,
    clock: systemClock,
    logger: silentLogger,
    certificate: await pki.serving('first'),
    host: '127.0.0.1',
    port: 0,
    drainMs: 10_000,
  });
  const { port } = await server.listen();
  return { ...bench, server, port, pki };
}

export function connect(running: RunningServer): ClientHttp2Session {
  return connectHttp2(`https://127.0.0.1:${running.port}`, { ca: running.pki.ca });
}

export interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function request(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: Buffer | string,
): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let answer: IncomingHttpHeaders = {};
    stream.on('response', (received) => {
      answer = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () =>
      resolve({
        status: Number(answer[':status'] ?? 0),
        headers: answer,
        text: Buffer.concat(chunks).toString('utf8'),
      }),
    );
    if (body !== undefined) stream.end(body);
  });
}
