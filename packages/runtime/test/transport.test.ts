import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Scope, systemClock, VirtualClock } from '@slipway/base';
import type { HttpClientOptions } from '../src/client/index.js';
import {
  configMaps,
  type ConnectionConfig,
  type ConnectionError,
  createHttpClient,
  type HttpClient,
} from '../src/index.js';
import { connect } from '../src/client/transport/connect.js';
import {
  type Answering,
  createTestPki,
  startHttp1,
  startHttp2,
  startProxy,
  startRelay,
  type TestPki,
} from './test-servers.js';

let pki: TestPki;
let tls: { cert: string; key: string; ca: string };
let scope = new Scope();

beforeAll(async () => {
  pki = await createTestPki();
  tls = { ...(await pki.serving(['127.0.0.1', 'localhost'])), ca: pki.ca };
});

afterEach(async () => {
  await scope.dispose();
  scope = new Scope();
});

function clientFor(port: number, config: Partial<ConnectionConfig> = {}, options: HttpClientOptions = {}): HttpClient {
  const base = { server: `https://127.0.0.1:${port}`, certificateAuthority: { data: pki.ca } };
  const client = createHttpClient({ ...base, ...config }, options);
  scope.defer(() => client.close());
  return client;
}

function echo(path: string, answer: Answering): void {
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify({ path }));
}

/** Responds to watches with one bookmark and keeps them open. */
function watching(path: string, answer: Answering): void {
  if (!path.includes('watch=true')) return echo(path, answer);
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.write('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1"}}}\n');
}

async function failureOf(work: Promise<unknown>): Promise<ConnectionError> {
  return work.then(
    () => {
      throw new Error('a failure was expected');
    },
    (error: unknown) => error as ConnectionError,
  );
}

/** Opens a watch and returns its iterator after the first batch. */
async function openWatch(client: HttpClient, signal?: AbortSignal): Promise<AsyncIterator<unknown>> {
  const iterator = client.watch(configMaps, { signal })[Symbol.asyncIterator]();
  const first = await iterator.next();
  expect(first.done).toBe(false);
  return iterator;
}

describe('HTTP/2', () => {
  it('carries many requests on one connection', async () => {
    const server = await startHttp2(tls, echo);
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => client.getRaw(`/p${index}`)));
    expect(JSON.parse(answers[49] ?? '')).toEqual({ path: '/p49' });
    expect(server.connections).toBe(1);
  });

  it('opens another connection before watches fill the first one up', async () => {
    const server = await startHttp2(tls, watching);
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    const stopper = new AbortController();
    await Promise.all(Array.from({ length: 120 }, () => openWatch(client, stopper.signal)));
    expect(await client.getRaw('/x')).toBe('{"path":"/x"}');
    expect(server.connections).toBe(2);
    stopper.abort(new Error('enough'));
  });

  it('fails a watch whose connection is lost, and connects again', async () => {
    const server = await startHttp2(tls, watching);
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    const watch = await openWatch(client);
    for (const session of server.sessions) session.destroy();
    expect((await failureOf(watch.next())).failure).toBe('reset');
    expect(await client.getRaw('/x')).toBe('{"path":"/x"}');
    expect(server.connections).toBe(2);
  });

  it('opens another connection on GOAWAY, and loses no request', async () => {
    const server = await startHttp2(tls, watching);
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    const watch = await openWatch(client);
    for (const session of server.sessions) session.goaway();
    for (let index = 0; index < 5; index += 1) expect(await client.getRaw('/x')).toBe('{"path":"/x"}');
    await watch.return?.();
  });

  it('cancels the stream when the reader stops', async () => {
    const closed: string[] = [];
    const server = await startHttp2(tls, (path, answer) => {
      (answer as unknown as { on(event: string, run: () => void): void }).on('close', () => closed.push(path));
      watching(path, answer);
    });
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    const watch = await openWatch(client);
    await watch.return?.();
    await client.getRaw('/x');
    await expect.poll(() => closed.length).toBe(2);
  });

  it('closes a connection that no longer answers pings', async () => {
    const server = await startHttp2(tls, watching);
    const relay = await startRelay(server.port);
    scope.defer(() => server.close());
    scope.defer(() => relay.close());
    const clock = new VirtualClock();
    const client = clientFor(relay.port, {}, { clock });
    const watch = await openWatch(client);
    const failed = failureOf(watch.next());
    relay.dropTraffic();
    await clock.advance(30_000);
    await clock.advance(15_000);
    expect((await failed).failure).toBe('reset');
  });
});

describe('HTTP/1.1', () => {
  it('is used if the server does not support HTTP/2', async () => {
    const server = await startHttp1(tls, watching);
    scope.defer(() => server.close());
    const client = clientFor(server.port);
    for (let index = 0; index < 3; index += 1) expect(await client.getRaw('/x')).toBe('{"path":"/x"}');
    expect(server.connections).toBe(1);
    const stopper = new AbortController();
    const watch = await openWatch(client, stopper.signal);
    expect(await client.getRaw('/y')).toBe('{"path":"/y"}');
    stopper.abort(new Error('enough'));
    expect((await watch.next()).done).toBe(true);
  });

  it('releases aborted callers while another connection is opened', async () => {
    const server = await startHttp1(tls, watching);
    const relay = await startRelay(server.port);
    scope.defer(() => server.close());
    scope.defer(() => relay.close());
    const client = clientFor(relay.port);
    const watch = await openWatch(client);
    relay.dropTraffic();
    const stopper = new AbortController();
    const reason = new Error('enough');
    const answers = [
      client.getRaw('/x', { signal: stopper.signal }),
      client.portForward({ namespace: 'default', name: 'pod' }, 80, { signal: stopper.signal }),
    ].map(failureOf);
    await expect.poll(() => relay.connections).toBe(3);
    stopper.abort(reason);
    expect(await Promise.all(answers)).toEqual([reason, reason]);
    await watch.return?.();
  });
});

describe('TLS', () => {
  it('rejects a certificate of an unknown CA', async () => {
    const server = await startHttp2(tls, echo);
    scope.defer(() => server.close());
    const other = await createTestPki();
    const failure = await failureOf(clientFor(server.port, { certificateAuthority: { data: other.ca } }).getRaw('/x'));
    expect(failure).toMatchObject({ failure: 'tls', reason: 'ServiceUnavailable' });
    expect(
      await clientFor(server.port, { certificateAuthority: undefined, insecureSkipTlsVerify: true }).getRaw('/x'),
    ).toBe('{"path":"/x"}');
  });

  it('verifies the configured server name', async () => {
    const named = await startHttp2({ ...(await pki.serving(['api.internal'])), ca: pki.ca }, echo);
    scope.defer(() => named.close());
    expect((await failureOf(clientFor(named.port).getRaw('/x'))).failure).toBe('tls');
    expect(await clientFor(named.port, { tlsServerName: 'api.internal' }).getRaw('/x')).toBe('{"path":"/x"}');
  });

  it('presents its client certificate', async () => {
    const server = await startHttp2(tls, (_path, answer, peer) => echo(peer, answer));
    scope.defer(() => server.close());
    const own = await pki.client('jane');
    const client = clientFor(server.port, { clientCertificate: { data: own.cert }, clientKey: { data: own.key } });
    expect(await client.getRaw('/x')).toBe('{"path":"jane"}');
  });
});

describe('connections', () => {
  it('connect through a proxy', async () => {
    const server = await startHttp2(tls, echo);
    const proxy = await startProxy('s3cret');
    scope.defer(() => server.close());
    scope.defer(() => proxy.close());
    const client = clientFor(server.port, { proxyUrl: `http://user:s3cret@127.0.0.1:${proxy.port}` });
    expect(await client.getRaw('/x')).toBe('{"path":"/x"}');
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    const unauthenticated = clientFor(server.port, { proxyUrl: `http://127.0.0.1:${proxy.port}` });
    expect((await failureOf(unauthenticated.getRaw('/x'))).message).toContain('refused the tunnel: 407');
  });

  it('survives a proxy connection that breaks while idle', async () => {
    const server = await startHttp1(tls, echo);
    const proxy = await startProxy();
    scope.defer(() => server.close());
    scope.defer(() => proxy.close());
    const target = {
      server: new URL(`http://127.0.0.1:${server.port}`),
      proxy: new URL(`http://127.0.0.1:${proxy.port}`),
    };
    const { socket } = await connect(target, systemClock);
    scope.defer(() => void socket.destroy());
    // An `error` event without a listener would throw.
    expect(socket.emit('error', new Error('read ECONNRESET'))).toBe(true);
  });

  it('fail with ECONNREFUSED if the server is down', async () => {
    const server = await startHttp2(tls, echo);
    await server.close();
    expect(await failureOf(clientFor(server.port).getRaw('/x'))).toMatchObject({ failure: 'unreachable', code: 503 });
  });

  it('close with the client', async () => {
    const server = await startHttp2(tls, watching);
    scope.defer(() => server.close());
    const client = clientFor(server.port, {}, { clock: systemClock });
    const watch = await openWatch(client);
    client.close();
    expect((await failureOf(watch.next())).failure).toBe('closed');
    expect((await failureOf(client.getRaw('/x'))).message).toContain('is closed');
  });
});
