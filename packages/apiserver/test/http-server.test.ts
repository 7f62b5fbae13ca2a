import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerOf } from '../src/http/test-support.js';
import type { Credentials } from '../src/contract/index.js';
import { connect, request, type RunningServer, startServer } from './server-support.js';

let running: RunningServer;
let seen: Credentials[];

const config = (name: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'a', resourceVersion: '5' },
});
const objectPath = '/api/v1/namespaces/a/configmaps/x';

beforeEach(async () => {
  seen = [];
  running = await startServer({
    resolveUser: (credentials) => {
      seen.push(credentials);
      return { username: 'tester', groups: [] };
    },
  });
  running.registry.put(config('x'));
});

afterEach(async () => {
  await running.server.close();
});

function http1(options: {
  method?: string;
  path: string;
  agent?: Agent;
  headers?: Record<string, string>;
  body?: Buffer;
}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { method = 'GET', path, agent, headers } = options;
    const outgoing = httpsRequest(
      { host: '127.0.0.1', port: running.port, ca: running.pki.ca, method, path, agent, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

function rawSocket(): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: running.port, ca: running.pki.ca, ALPNProtocols: ['http/1.1'] });
  // Ignore errors: a server that rejects a request may reset the connection with the unread body.
  socket.on('error', () => undefined);
  return once(socket, 'secureConnect').then(() => socket);
}

async function stillServes(): Promise<boolean> {
  return (await http1({ path: objectPath })).status === 200;
}

describe('HTTP protocols', () => {
  it('serves HTTP/2 over TLS via ALPN with at least 250 streams, and HTTP/1.1 with keep-alive', async () => {
    const session = connect(running);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).toBeGreaterThanOrEqual(250);
    const answers = await Promise.all(Array.from({ length: 300 }, () => request(session, { ':path': objectPath })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    session.close();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; index < 3; index += 1)
      expect((await http1({ path: objectPath, agent })).text).toBe(`${JSON.stringify(config('x'))}\n`);
    agent.destroy();
  });

  it('passes client certificates to the authenticator unverified, one array per connection', async () => {
    const other = await running.pki.client('jane', ['devs']);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, cert: other.certificate, key: other.key });
    await http1({ path: objectPath, agent });
    await http1({ path: objectPath, agent });
    agent.destroy();
    expect(seen[0]?.clientCertificate).toBeInstanceOf(Uint8Array);
    expect(seen[1]?.clientCertificate).toBe(seen[0]?.clientCertificate);
  });

  it('keeps repeated `Impersonate-Group` headers separate', async () => {
    const groups = ['a, b', 'c'];
    await new Promise((resolve, reject) => {
      const { port, pki } = running;
      const outgoing = httpsRequest({
        host: '127.0.0.1',
        port,
        ca: pki.ca,
        path: objectPath,
        headers: { 'Impersonate-Group': groups },
      });
      outgoing.on('response', (response) => response.resume().on('end', resolve));
      outgoing.on('error', reject);
      outgoing.end();
    });
    const session = connect(running);
    await request(session, { ':path': objectPath, 'impersonate-group': groups });
    session.close();
    expect(seen.map(({ headers }) => headers['impersonate-group'])).toEqual([groups, groups]);
  });

  it('serves a renewed certificate without a restart', async () => {
    const before = await rawSocket();
    running.server.replaceCertificate(await running.pki.serving('second'));
    const after = await rawSocket();
    expect([before.getPeerCertificate().subject.CN, after.getPeerCertificate().subject.CN]).toEqual([
      'first',
      'second',
    ]);
    before.destroy();
    after.destroy();
  });
});

describe('watches on a server port', () => {
  it('flush headers immediately: clients block in `Watch()` until headers arrive [21]', async () => {
    const session = connect(running);
    const stream = session.request({ ':path': '/api/v1/configmaps?watch=true' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    running.registry.watches[0]?.push([{ type: 'ADDED', answer: answerOf(config('y')) }]);
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    expect(JSON.parse(chunk.toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'y' } } });
    stream.close();
    await once(stream, 'close');
    session.close();
  });

  it('end with a clean EOF over HTTP/2 and HTTP/1.1 when the server closes', async () => {
    const session = connect(running);
    const over2 = request(session, { ':path': '/api/v1/configmaps?watch=true' });
    const over1 = http1({ path: '/api/v1/configmaps?watch=true' });
    while (running.registry.watches.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await running.server.close();
    expect((await over2).status).toBe(200);
    expect((await over1).status).toBe(200);
    expect(running.registry.watches.every(({ disposed }) => disposed)).toBe(true);
  });

  it.each([10, 5_000_000])(
    'do not delay closing if the client is unresponsive (with %d bytes unread)',
    async (size) => {
      const session = connect(running);
      session.on('error', () => undefined);
      // The client does not read, so it does not notice that the watch and its connection end.
      const stream = session.request({ ':path': '/api/v1/configmaps?watch=true' });
      stream.on('error', () => undefined);
      await once(stream, 'response');
      const large = answerOf({ ...config('y'), data: { a: 'x'.repeat(size) } });
      running.registry.watches[0]?.push([{ type: 'MODIFIED', answer: large }]);
      await request(session, { ':path': '/version' });
      const begun = performance.now();
      await running.server.close();
      expect(performance.now() - begun).toBeLessThan(9_500);
      session.destroy();
    },
  );

  it('do not delay closing if a client never started the handshake', async () => {
    const socket = connectTcp(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    // The server accepts connections asynchronously, but in order: once it has answered a later client, it has accepted this one.
    const session = connect(running);
    await request(session, { ':path': '/version' });
    session.close();
    const begun = performance.now();
    await running.server.close();
    expect(performance.now() - begun).toBeLessThan(9_500);
  });

  it('pause the stream if the client stops reading', async () => {
    const session = connect(running);
    const stream = session.request({ ':path': '/api/v1/configmaps?watch=true' });
    await once(stream, 'response');
    stream.pause();
    const watch = running.registry.watches[0];
    const large = answerOf({ ...config('y'), data: { a: 'x'.repeat(1_000_000) } });
    for (let index = 0; index < 50; index += 1) watch?.push([{ type: 'MODIFIED', answer: large }]);
    expect(await stillServes()).toBe(true);
    expect(await stillServes()).toBe(true);
    expect(watch?.reads).toBeLessThan(10);
    session.destroy();
  });
});

describe('misbehaving clients', () => {
  it('returns 413 with the limit; the connection stays usable (HTTP/2)', async () => {
    const session = connect(running);
    const path = '/api/v1/namespaces/a/configmaps';
    const large = await request(session, { ':path': path, ':method': 'POST' }, Buffer.alloc(8 * 1024 * 1024, 0x20));
    expect([large.status, JSON.parse(large.text)]).toEqual([
      413,
      expect.objectContaining({ message: 'Request entity too large: limit is 3145728' }),
    ]);
    expect((await request(session, { ':path': objectPath })).status).toBe(200);
    session.close();
  });

  it('rejects 100 MB over HTTP/1.1 immediately, and the connection stays usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = '/api/v1/namespaces/a/configmaps';
    const answer = await http1({ method: 'POST', path, agent, body: Buffer.alloc(100 * 1024 * 1024, 0x20) });
    expect(answer.status).toBe(413);
    expect((await http1({ path: objectPath, agent })).status).toBe(200);
    agent.destroy();
  });

  it.each([
    ['garbage', '\u0000\u0001garbage\r\n\r\n', /^HTTP\/1.1 400/],
    [
      'a header flood',
      `GET / HTTP/1.1\r\nHost: a\r\n${`${'x'.repeat(100)}: y\r\n`.repeat(650)}\r\n`,
      /^(HTTP\/1.1 431|$)/,
    ],
    [
      'invalid percent-encoding',
      'GET /api/v1/namespaces/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
    [
      'an invalid chunk',
      'POST /api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /^HTTP\/1.1 400/,
    ],
    [
      'Content-Length together with Transfer-Encoding',
      'POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
  ])('responds to %s and continues to serve', async (_name, text, expected) => {
    const socket = await rawSocket();
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toMatch(expected);
    expect(await stillServes()).toBe(true);
  });

  it('survives half-closed sockets and clients that disconnect within a body', async () => {
    const half = await rawSocket();
    half.end('GET /api/v1/namespaces/a/configmaps/x HTTP/1.1\r\nHost: a\r\n\r\n');
    const left = await rawSocket();
    left.write('POST /api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{');
    expect(await stillServes()).toBe(true);
    left.destroy();
    half.destroy();
    const session = connect(running);
    const stream = session.request({ ':path': '/api/v1/namespaces/a/configmaps', ':method': 'POST' });
    stream.write('{');
    expect(await stillServes()).toBe(true);
    stream.on('error', () => undefined);
    session.destroy();
    expect(await stillServes()).toBe(true);
  });

  it('survives floods of streams that are reset immediately, and of headers, over HTTP/2', async () => {
    const resetting = connect(running);
    resetting.on('error', () => undefined);
    for (let index = 0; index < 3_000 && !resetting.destroyed; index += 1) {
      const stream = resetting.request({ ':path': '/api/v1/configmaps?watch=true' });
      stream.on('error', () => undefined);
      stream.close(8);
    }
    expect(await stillServes()).toBe(true);
    resetting.destroy();
    const flooding = connect(running);
    flooding.on('error', () => undefined);
    const headers = Object.fromEntries(
      Array.from({ length: 2_000 }, (_item, index) => [`x-${index}`, 'y'.repeat(100)]),
    );
    const flooded = await request(flooding, { ':path': objectPath, ...headers }).catch(() => undefined);
    expect(flooded?.status).not.toBe(200);
    flooding.destroy();
    expect(await stillServes()).toBe(true);
    await running.server.close();
    expect(running.registry.watches.filter(({ disposed }) => !disposed)).toEqual([]);
  });

  it('ends a slow body at the request timeout with a Status', async () => {
    const session = connect(running);
    const stream = session.request({ ':path': '/api/v1/namespaces/a/configmaps?timeout=50ms', ':method': 'POST' });
    stream.write('{');
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(504);
    session.destroy();
    expect(await stillServes()).toBe(true);
  });
});

it('sends large lists completely over both protocols', async () => {
  for (let index = 0; index < 500; index += 1)
    running.registry.put({ ...config(`c${index}`), data: { a: 'x'.repeat(5_000) } });
  const session = connect(running);
  const over2 = JSON.parse((await request(session, { ':path': '/api/v1/configmaps' })).text) as { items: unknown[] };
  const over1 = JSON.parse((await http1({ path: '/api/v1/configmaps' })).text) as { items: unknown[] };
  expect([over2.items.length, over1.items.length]).toEqual([501, 501]);
  session.close();
});
