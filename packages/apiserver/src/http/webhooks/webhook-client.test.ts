import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, VirtualClock } from '@slipway/base';
import { TestWebhook } from './test-support.js';
import { WebhookCallError, WebhookClient } from './webhook-client.js';

/** Real time: on a busy host, a handshake or a DNS lookup may be slow. */
const timeoutMs = 30_000;

let webhook: TestWebhook;
const clients: WebhookClient[] = [];

beforeAll(async () => {
  webhook = await TestWebhook.start(['localhost', '127.0.0.1', 'hook.system.svc']);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});
afterAll(() => webhook.close());

function clientOf(options: Partial<ConstructorParameters<typeof WebhookClient>[0]> = {}): WebhookClient {
  const client = new WebhookClient({
    clock: systemClock,
    resolveService: () => ({ host: '127.0.0.1', port: webhook.port }),
    ...options,
  });
  clients.push(client);
  return client;
}

function config(path = '/hook'): { url: string; caBundle: string } {
  return { url: webhook.url(path), caBundle: webhook.caBundle };
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WebhookCallError);
  return (error as Error).message;
}

describe('WebhookClient', () => {
  it('posts JSON with the timeout in the URL and without credentials', async () => {
    webhook.answer(() => ({ fine: true }));
    const answer = await clientOf().post({ config: config(), body: { asked: 1 }, timeoutMs: 9_500 });
    expect(answer).toEqual({ fine: true });
    expect(webhook.calls[0]).toMatchObject({ path: '/hook?timeout=10s', body: { asked: 1 } });
    expect(webhook.calls[0]?.headers).not.toHaveProperty('authorization');
  });

  it('reuses connections and retries when the peer has closed one', async () => {
    webhook.answer(() => ({}));
    const client = clientOf();
    const before = webhook.connections;
    await client.post({ config: config(), body: {}, timeoutMs });
    await client.post({ config: config(), body: {}, timeoutMs });
    expect(webhook.connections - before).toBe(1);
    webhook.dropIdle();
    await client.post({ config: config(), body: {}, timeoutMs });
    expect(webhook.calls).toHaveLength(3);
  });

  it('connects to services with their DNS name as server name', async () => {
    webhook.answer(() => ({}));
    const service = { namespace: 'system', name: 'hook', path: '/validate' };
    await clientOf().post({ config: { service, caBundle: webhook.caBundle }, body: {}, timeoutMs });
    expect(webhook.calls[0]?.headers.host).toBe('hook.system.svc:443');
  });

  it.each([
    [
      'an unknown service',
      { service: { namespace: 'a', name: 'b' } },
      /^Post "https:\/\/b\.a\.svc:443\/\?timeout=30s": service "b" not found$/,
    ],
    [
      'a port without a listener',
      { url: 'https://127.0.0.1:1/x' },
      /^Post "https:\/\/127\.0\.0\.1:1\/x\?timeout=30s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    ],
    [
      'a host without an address',
      { url: 'https://nowhere.invalid/x' },
      /^Post "https:\/\/nowhere\.invalid\/x\?timeout=30s": dial tcp: lookup nowhere\.invalid: no such host$/,
    ],
    ['a configuration without URL or service', {}, /^webhook configuration must have either service or URL$/],
    ['a scheme without TLS', { url: 'http://127.0.0.1/' }, /^webhook URL must use https, not http$/],
  ])('reports why it cannot reach %s', async (_name, target, expected) => {
    const resolveService = (_namespace: string, name: string): never => {
      throw new Error(`service "${name}" not found`);
    };
    expect(await failureOf(clientOf({ resolveService }).post({ config: target, body: {}, timeoutMs }))).toMatch(
      expected,
    );
  });

  it('trusts only the CA bundle', async () => {
    const otherServer = await TestWebhook.start();
    const target = { url: webhook.url('/'), caBundle: otherServer.caBundle };
    expect(await failureOf(clientOf().post({ config: target, body: {}, timeoutMs }))).toMatch(
      /tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    );
    await otherServer.close();
  });

  it('trusts a serving certificate that is itself in the CA bundle', async () => {
    webhook.answer(() => ({ fine: true }));
    const target = { url: webhook.url('/'), caBundle: webhook.servingBundle };
    expect(await clientOf().post({ config: target, body: {}, timeoutMs })).toEqual({ fine: true });
  });

  it('removes repeated slashes from the path', async () => {
    webhook.answer(() => ({}));
    await clientOf().post({ config: config('//mutate//pods/'), body: {}, timeoutMs });
    expect(webhook.calls[0]?.path).toBe('/mutate/pods?timeout=30s');
  });

  it('requires a certificate for the server name', async () => {
    const service = { namespace: 'system', name: 'other' };
    const failure = await failureOf(
      clientOf().post({ config: { service, caBundle: webhook.caBundle }, body: {}, timeoutMs }),
    );
    expect(failure).toBe(
      'Post "https://other.system.svc:443/?timeout=30s": tls: failed to verify certificate: x509: certificate is valid for localhost, hook.system.svc, 127.0.0.1, not other.system.svc',
    );
  });

  it('aborts a call at its deadline on the given clock', async () => {
    const clock = new VirtualClock();
    let onRequest = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    webhook.answer(() => {
      onRequest();
      return undefined;
    });
    const failure = failureOf(clientOf({ clock }).post({ config: config('/slow'), body: {}, timeoutMs: 2_000 }));
    await reached;
    await clock.advance(2_000);
    expect(await failure).toBe(`Post "${webhook.url('/slow')}?timeout=2s": context deadline exceeded`);
  });

  it('aborts a call whose response never ends', async () => {
    const clock = new VirtualClock();
    let begun = (): void => undefined;
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    webhook.answer((_call, response) => {
      response.write('{"a":');
      begun();
      return undefined;
    });
    const failure = failureOf(clientOf({ clock }).post({ config: config('/drip'), body: {}, timeoutMs: 1_000 }));
    await reading;
    await clock.advance(1_000);
    expect(await failure).toMatch(/context deadline exceeded$/);
  });

  it('aborts when the caller does', async () => {
    const left = new AbortController();
    webhook.answer(() => {
      left.abort();
      return undefined;
    });
    const failure = failureOf(clientOf().post({ config: config(), body: {}, timeoutMs, signal: left.signal }));
    expect(await failure).toMatch(/context canceled$/);
  });

  it('limits the size of the response', async () => {
    webhook.answer((_call, response) => {
      response.end(Buffer.alloc(9 * 1024 * 1024, 32));
      return undefined;
    });
    expect(await failureOf(clientOf().post({ config: config(), body: {}, timeoutMs }))).toMatch(
      /response body is larger than \d+ bytes$/,
    );
  });

  it.each([
    [302, '', 'the server responded with the status code 302 but did not return more information'],
    [400, 'x', 'the server rejected our request for an unknown reason'],
    [404, '', 'the server could not find the requested resource'],
    [500, 'boom "x"', 'an error on the server ("boom \\"x\\"") has prevented the request from succeeding'],
    [503, '', 'the server is currently unable to handle the request'],
    [500, JSON.stringify({ kind: 'Status', message: 'denied' }), 'denied'],
    [200, '{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ])('reports a response of %d %s like the Go client', async (code, body, expected) => {
    webhook.answer((_call, response) => {
      response.writeHead(code, { location: webhook.url('/elsewhere') });
      response.end(body);
      return undefined;
    });
    expect(await failureOf(clientOf().post({ config: config(), body: {}, timeoutMs }))).toBe(expected);
    expect(webhook.calls).toHaveLength(1);
  });
});
