import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seededRandom, VirtualClock } from '@slipway/base';
import type { StatusError } from '@slipway/kube';
import { configMaps } from '../builtin-resources/index.js';
import { ConnectionError } from './connection-error.js';
import { FakeTransport, type ScriptedAnswer } from './fake-transport.js';
import { createHttpClient, type HttpClientOptions } from './http-client.js';

const key = { namespace: 'a', name: 'x' };
const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"a"}}';
const reset = new ConnectionError('reset', 'connection reset by peer');

function bench(
  answers: readonly ScriptedAnswer[],
  options: HttpClientOptions = {},
  server = 'https://api.example.com',
) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(...answers);
  const client = createHttpClient(
    { server, token: { data: 'secret' } },
    { clock, random: seededRandom(1), transport, ...options },
  );
  return { clock, transport, client };
}

async function failureOf(work: Promise<unknown>): Promise<StatusError> {
  return work.then(
    () => {
      throw new Error('a failure was expected');
    },
    (error: unknown) => error as StatusError,
  );
}

describe('requests of the HTTP client', () => {
  it('sends path, query, credentials and user agent', async () => {
    const { client, transport } = bench(
      [{ body: [object] }],
      { userAgent: 'tester/1' },
      'https://api.example.com/k8s/',
    );
    await client.patch(
      configMaps,
      { namespace: 'a', name: 'system:x' },
      { type: 'merge', patch: { data: { a: '1' } } },
      { subresource: 'status', fieldManager: 'me', dryRun: true },
    );
    expect(transport.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/k8s/api/v1/namespaces/a/configmaps/system%3Ax/status?fieldManager=me&dryRun=All',
      body: '{"data":{"a":"1"}}',
      headers: {
        authorization: 'Bearer secret',
        'content-type': 'application/merge-patch+json',
        'user-agent': 'tester/1',
      },
    });
  });

  it('reads compressed lists', async () => {
    const list = `{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"x"}}]}`;
    const { client, transport } = bench([{ headers: { 'content-encoding': 'gzip' }, body: [gzipSync(list)] }]);
    const answer = await client.list(configMaps);
    expect(answer).toEqual({
      items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }],
      resourceVersion: '7',
    });
    expect(transport.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'gzip' });
  });

  it('reports warnings', async () => {
    const warnings: string[] = [];
    const warning = '299 - "unknown field \\"spec.a\\"", 299 - "second"';
    const { client } = bench([{ headers: { warning }, body: [object] }], { onWarning: (text) => warnings.push(text) });
    await client.get(configMaps, key);
    expect(warnings).toEqual(['unknown field "spec.a"', 'second']);
  });
});

describe('retries of the HTTP client', () => {
  const busy = { status: 429, headers: { 'retry-after': '3' }, body: ['slow down'] };

  it.each([
    { name: '429 with Retry-After, for any verb', answers: [busy], waitMs: 3_000 },
    { name: '503 with Retry-After', answers: [{ ...busy, status: 503 }], waitMs: 3_000 },
    {
      name: 'a request that the server did not process',
      answers: [{ fails: new ConnectionError('closed', 'x', { unsent: true }) }],
      waitMs: 0,
    },
  ])('retries $name', async ({ answers, waitMs }) => {
    const { client, clock, transport } = bench([...answers, { body: [object] }]);
    const created = client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key } });
    await clock.advance(Math.max(waitMs - 1, 0));
    expect(transport.requests.length).toBe(waitMs > 0 ? 1 : 2);
    await clock.advance(1);
    expect((await created).metadata.name).toBe('x');
    expect(transport.requests.length).toBe(2);
  });

  it.each([
    { name: 'reads whose connection broke', answer: { fails: reset } },
    { name: 'reads whose body was truncated', answer: { body: ['{"kind":', reset] } },
  ])('retries $name', async ({ answer }) => {
    const { client, clock, transport } = bench([answer, { body: [object] }]);
    const read = client.get(configMaps, key);
    await clock.advance(1_000);
    expect((await read).kind).toBe('ConfigMap');
    expect(transport.requests.length).toBe(2);
  });

  it.each([
    { name: 'a write whose connection broke', answer: { fails: reset } },
    { name: 'a conflict', answer: { status: 409, body: ['conflict'] } },
    { name: 'a server error without Retry-After', answer: { status: 500, body: ['oops'] } },
  ])('does not retry $name', async ({ answer }) => {
    const { client, clock, transport } = bench([answer, { body: [object] }]);
    const written = failureOf(client.patch(configMaps, key, { type: 'merge', patch: {} }));
    await clock.advance(60_000);
    expect(await written).toBeInstanceOf(Error);
    expect(transport.requests.length).toBe(1);
  });

  it('stops after ten retries and returns the error of the server', async () => {
    const { client, clock, transport } = bench(Array.from({ length: 20 }, () => busy));
    const read = failureOf(client.get(configMaps, key));
    await clock.advance(120_000);
    expect(await read).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } });
    expect(transport.requests.length).toBe(11);
  });
});

describe('limits of the HTTP client', () => {
  it('aborts requests without a response', async () => {
    const { client, clock } = bench([{ hangs: true }], { requestTimeoutMs: 5_000 });
    const read = failureOf(client.get(configMaps, key));
    await clock.advance(5_000);
    expect(await read).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'GET /api/v1/namespaces/a/configmaps/x timed out after 5 s',
    });
    expect(clock.nextTimerMs()).toBeUndefined();
  });

  it('limits the request rate, in FIFO order', async () => {
    const { client, clock, transport } = bench(
      Array.from({ length: 6 }, () => ({ body: [object] })),
      { rateLimit: { perSecond: 2, burst: 2 } },
    );
    const reads = Promise.all(Array.from({ length: 6 }, () => client.get(configMaps, key)));
    await clock.advance(0);
    expect(transport.requests.length).toBe(2);
    await clock.advance(1_000);
    expect(transport.requests.length).toBe(4);
    await clock.advance(1_000);
    await reads;
  });
});

describe('errors of the HTTP client', () => {
  const proxy = 'upstream connect error';
  it.each([
    {
      status: 404,
      method: 'get',
      reason: 'NotFound',
      message: 'the server could not find the requested resource (get configmaps x)',
    },
    { status: 409, method: 'get', reason: 'Conflict', message: 'the server reported a conflict (get configmaps x)' },
    {
      status: 503,
      method: 'get',
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request (get configmaps x)',
    },
    {
      status: 418,
      method: 'get',
      reason: '',
      message: 'the server responded with the status code 418 but did not return more information (get configmaps x)',
    },
    {
      status: 502,
      method: 'get',
      reason: 'InternalError',
      message: `an error on the server ("${proxy}") has prevented the request from succeeding (get configmaps x)`,
    },
  ])('creates a Status for a $status response without one', async ({ status, reason, message }) => {
    const { client } = bench([{ status, body: [proxy] }]);
    expect(await failureOf(client.get(configMaps, key))).toMatchObject({
      code: status,
      reason,
      message,
      details: { name: 'x', kind: 'configmaps', causes: [{ reason: 'UnexpectedServerResponse', message: proxy }] },
    });
  });

  it('reports AlreadyExists for a conflict of a create', async () => {
    const { client } = bench([{ status: 409, body: [''] }]);
    const created = client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key } });
    expect((await failureOf(created)).reason).toBe('AlreadyExists');
  });

  it('limits the size of an error body', async () => {
    const { client } = bench([{ status: 500, body: Array.from({ length: 3 }, () => 'x'.repeat(1024 * 1024)) }]);
    expect((await failureOf(client.get(configMaps, key))).message).toBe('the response is longer than 1048576 bytes');
  });
});
