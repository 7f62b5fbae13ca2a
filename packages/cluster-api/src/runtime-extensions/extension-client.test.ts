import { VirtualClock } from '@slipway/base';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import type { Index, Resource, Sources } from '@slipway/runtime';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { callExtension } from './call-extension.js';
import { discoverExtension, type ObservedExtension } from './discover-extension.js';
import { ExtensionClient } from './extension-client.js';
import { extensionDependencies } from './extension-dependencies.js';
import { extensionUrl } from './extension-url.js';
import type { ExtensionCall, ExtensionReply, ExtensionTransport } from './https-transport.js';
import type { RuntimeHook } from './runtime-hooks.js';

const { signal } = new AbortController();
const ok = (body: object): ExtensionReply => ({ status: 200, body: JSON.stringify({ status: 'Success', ...body }) });

function sourcesOf(objects: readonly object[]): Sources {
  const all = objects as readonly Frozen<KubeObject>[];
  const of = (resource: Resource): readonly Frozen<KubeObject>[] => all.filter(({ kind }) => kind === resource.kind);
  return {
    sourceFor: (resource: Resource) => ({
      get: ({ name }: { name: string }) => of(resource).find(({ metadata }) => metadata.name === name),
      byIndex: (index: Index, value: string) => of(resource).filter((object) => index.valuesOf(object).includes(value)),
    }),
  } as unknown as Sources;
}

function config(name: string, handlers: readonly object[], more: { spec?: object; metadata?: object } = {}): object {
  return {
    kind: 'ExtensionConfig',
    metadata: { name, uid: name, generation: 1, ...more.metadata },
    spec: { clientConfig: { url: `https://${name}.example.com` }, ...more.spec },
    status: { handlers },
  };
}
const handler = (name: string, hook: RuntimeHook, more: object = {}): object => ({
  name,
  requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook },
  timeoutSeconds: 10,
  failurePolicy: 'Fail',
  ...more,
});
const namespace = (name: string, labels: object): object => ({ kind: 'Namespace', metadata: { name, labels } });
const subject = { metadata: { namespace: 'n', name: 'c' } };

const ignore = (): void => undefined;

function clientOf(objects: readonly object[], transport: ExtensionTransport) {
  const clock = new VirtualClock();
  return { clock, client: new ExtensionClient(sourcesOf(objects), { clock, transport, observe: ignore }) };
}

describe('extensionUrl', () => {
  it.each([
    [
      { url: 'https://a.example.com' },
      'https://a.example.com/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclustercreate/my-handler',
    ],
    [
      { url: 'https://a.example.com/base/' },
      'https://a.example.com/base/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclustercreate/my-handler',
    ],
    [
      { service: { namespace: 'n', name: 's' } },
      'https://s.n.svc/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclustercreate/my-handler',
    ],
    [
      { service: { namespace: 'n', name: 's', port: 8443, path: '/p' } },
      'https://s.n.svc:8443/p/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclustercreate/my-handler',
    ],
  ])('accepts %j', (clientConfig, url) => {
    expect(extensionUrl(clientConfig, 'BeforeClusterCreate', 'My-Handler').href).toBe(url);
  });

  it.each([
    [{ url: 'http://a' }, 'expected https scheme, got http'],
    [{ url: 'no url' }, 'failed to parse url'],
    [{}, 'at least one of service and url should be defined'],
  ])('rejects %j', (clientConfig, message) => {
    expect(() => extensionUrl(clientConfig, 'Discovery')).toThrow(message);
  });
});

describe('a call', () => {
  const input = { config: { url: 'https://e' }, hook: 'Discovery', request: {}, timeoutSeconds: 5, signal } as const;

  it('sends its timeout, and aborts after it', async () => {
    const clock = new VirtualClock();
    let url: URL | undefined;
    const transport: ExtensionTransport = (call) =>
      new Promise((_resolve, reject) => {
        url = call.url;
        call.signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const failure = callExtension({ clock, transport, observe: ignore }, input).catch(
      (error: unknown) => error as Error,
    );
    await clock.advance(5_000);
    expect(await failure).toMatchObject({
      message: expect.stringContaining('http call failed: http request timeout expired') as string,
    });
    expect(url?.searchParams.get('timeout')).toBe('5s');
  });

  it('is aborted with its reconcile', async () => {
    const ending = new AbortController();
    ending.abort(new Error('stopped'));
    const transport: ExtensionTransport = () => Promise.reject(new Error('not reached'));
    const call = callExtension(
      { clock: new VirtualClock(), transport, observe: ignore },
      { ...input, signal: ending.signal },
    );
    await expect(call).rejects.toThrow('http call failed: stopped');
  });

  it.each([
    ['another status', { status: 500, body: 'x'.repeat(2_000) }, /status code 500 != 200: response : "x{512}\.\.\."/],
    ['no JSON', { status: 200, body: '<html>' }, /http call failed/],
    ['no object', { status: 200, body: '[1]' }, /not a JSON object/],
    ['deep nesting', { status: 200, body: '['.repeat(100_000) }, /http call failed/],
  ])('fails on %s', async (_name, reply, message) => {
    const transport: ExtensionTransport = () => Promise.resolve(reply);
    await expect(callExtension({ clock: new VirtualClock(), transport, observe: ignore }, input)).rejects.toThrow(
      message,
    );
  });

  it("records upstream's metrics, shared by all controllers", async () => {
    const metrics = new Registry();
    const clock = new VirtualClock();
    const replies = [{ status: 200, body: '{"status":"Success"}' }, { status: 500, body: '' }, undefined];
    for (const reply of replies) {
      const dependencies = extensionDependencies(
        { clock, metrics },
        async () => reply ?? Promise.reject(new Error('no route')),
      );
      await callExtension(dependencies, input).catch(() => undefined);
    }
    const text = await metrics.metrics();
    const labels = (code: string, status: string): string => `code="${code}",status="${status}"`;
    const counted = [...text.matchAll(/^capi_runtime_sdk_requests_total\{(.*)\} 1$/gm)].map(([, found = '']) => found);
    expect(
      counted.map((found) =>
        found
          .split(',')
          .filter((one) => /^(code|status)=/.test(one))
          .toSorted()
          .join(','),
      ),
    ).toEqual([labels('200', 'Success'), labels('500', 'Unknown'), labels('<error>', 'Unknown')]);
    expect(counted[0]).toContain('group="hooks.runtime.cluster.x-k8s.io",version="v1alpha1",hook="Discovery"');
    expect(text).toMatch(/^capi_runtime_sdk_request_duration_seconds_count\{.*\} 3$/m);
  });
});

describe('discovery', () => {
  const extension = config('e', []) as unknown as ObservedExtension;
  const answering = (body: object) => ({
    clock: new VirtualClock(),
    transport: () => Promise.resolve(ok(body)),
    observe: ignore,
  });
  const given = (name: string, hook: string, more: object = {}): object => ({
    name,
    requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook },
    ...more,
  });

  it('qualifies handler names by the extension, and sets defaults', async () => {
    const handlers = [
      given('a', 'GeneratePatches'),
      given('b', 'ValidateTopology', { timeoutSeconds: 30, failurePolicy: 'Ignore' }),
    ];
    expect(await discoverExtension(answering({ handlers }), extension, signal)).toMatchObject([
      { name: 'a.e', timeoutSeconds: 10, failurePolicy: 'Fail' },
      { name: 'b.e', timeoutSeconds: 30, failurePolicy: 'Ignore' },
    ]);
  });

  it.each([
    [
      'twice the same name',
      [given('a', 'GeneratePatches'), given('a', 'ValidateTopology')],
      'duplicate name for handler a found',
    ],
    ['an invalid name', [given('A_b', 'GeneratePatches')], 'handler name A_b is not valid'],
    ['too long a time', [given('a', 'GeneratePatches', { timeoutSeconds: 31 })], 'must be between 0 and 30'],
    [
      'an invalid failure policy',
      [given('a', 'GeneratePatches', { failurePolicy: 'Maybe' })],
      'must equal "Ignore" or "Fail"',
    ],
    ['an unknown hook', [given('a', 'MakeCoffee')], 'is not in the Runtime SDK catalog'],
    ['itself', [given('a', 'Discovery')], 'is not in the Runtime SDK catalog'],
    ['nothing at all', [{}], 'is not in the Runtime SDK catalog'],
  ])('rejects %s', async (_name, handlers, message) => {
    await expect(discoverExtension(answering({ handlers }), extension, signal)).rejects.toThrow(message);
  });

  it('reports the message of an extension', async () => {
    const dependencies = answering({ status: 'Failure', message: 'not today' });
    await expect(discoverExtension(dependencies, extension, signal)).rejects.toThrow(
      'failed to discover extension "e": got failure response with message: not today',
    );
  });
});

describe('calls of all handlers', () => {
  const hook = 'BeforeClusterCreate';

  it('run in order of their names, merge messages, and use the shortest retry time', async () => {
    const order: string[] = [];
    const waits: Record<string, object> = {
      'a.one': { retryAfterSeconds: 30, message: 'thirty' },
      'b.two': { retryAfterSeconds: 0 },
      'c.one': { retryAfterSeconds: 5, message: 'five' },
    };
    const objects = [
      config('one', [handler('c.one', hook), handler('a.one', hook)]),
      config('two', [handler('b.two', hook)]),
    ];
    const { client } = clientOf(objects, ({ url }) => {
      const name = `${url.pathname.split('/').at(-1) ?? ''}.${url.hostname.split('.')[0] ?? ''}`;
      order.push(name);
      return Promise.resolve(ok(waits[name] ?? {}));
    });
    expect(await client.callAll(hook, subject, {}, { signal })).toEqual({
      retryAfterSeconds: 5,
      message: 'thirty, five',
    });
    expect(order).toEqual(['a.one', 'b.two', 'c.one']);
  });

  it('select extensions by namespace', () => {
    const labelled = { spec: { namespaceSelector: { matchLabels: { tier: 'gold' } } } };
    const objects = [
      config('all', [handler('a.all', hook)]),
      config('gold', [handler('a.gold', hook)], labelled),
      config('away', [handler('a.away', hook)], { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } }),
      config('other', [handler('a.other', 'AfterClusterUpgrade')]),
      namespace('n', { tier: 'gold' }),
      namespace('m', { tier: 'lead' }),
    ];
    const { client } = clientOf(objects, () => Promise.resolve(ok({})));
    expect(client.handlersOf(hook, subject)).toEqual(['a.all', 'a.gold']);
    expect(client.handlersOf(hook, { metadata: { namespace: 'm' } })).toEqual(['a.all']);
    expect(client.handlersOf(hook, { metadata: { namespace: 'unknown' } })).toEqual(['a.all']);
  });
});

describe('a call of one handler', () => {
  const hook = 'GeneratePatches';
  const objects = [
    config('e', [handler('fails.e', hook), handler('ignored.e', hook, { failurePolicy: 'Ignore' })], {
      spec: { settings: { a: 'config', b: 'config' } },
    }),
    config('gold', [handler('a.gold', hook)], { spec: { namespaceSelector: { matchLabels: { tier: 'gold' } } } }),
    namespace('n', {}),
  ];
  const call = (client: ExtensionClient, name: string, request: JsonObject = {}): Promise<JsonObject> =>
    client.call(hook, subject, name, request, { signal });

  it('merges settings, preferring those of the caller', async () => {
    const bodies: JsonObject[] = [];
    const { client } = clientOf(objects, ({ body }: ExtensionCall) => {
      bodies.push(JSON.parse(body) as JsonObject);
      return Promise.resolve(ok({}));
    });
    await call(client, 'fails.e', { settings: { b: 'caller' } });
    expect(bodies).toMatchObject([
      {
        apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1',
        kind: 'GeneratePatchesRequest',
        settings: { a: 'config', b: 'caller' },
      },
    ]);
  });

  it('ignores transport failures with failurePolicy Ignore, but not failure responses', async () => {
    const broken = clientOf(objects, () => Promise.reject(new Error('connection refused'))).client;
    await expect(call(broken, 'fails.e')).rejects.toThrow(
      'failed to call extension handler "fails.e": http call failed: connection refused',
    );
    expect(await call(broken, 'ignored.e')).toEqual({ status: 'Success', message: '' });
    const refusing = clientOf(objects, () => Promise.resolve(ok({ status: 'Failure', message: 'no' }))).client;
    await expect(call(refusing, 'ignored.e')).rejects.toThrow('got failure response with message: no');
    const strange = clientOf(objects, () => Promise.resolve(ok({ status: 'Perhaps' }))).client;
    await expect(call(strange, 'fails.e')).rejects.toThrow('got unknown response status "Perhaps"');
  });

  it.each([
    ['nobody.e', hook, 'handler with name "nobody.e" has not been registered'],
    ['fails.e', 'ValidateTopology', 'handler does not match hook "ValidateTopology"'],
    ['a.gold', hook, 'namespaceSelector did not match object n/c'],
  ] as const)('reports why it cannot call %s', async (name, hookRequest, message) => {
    const { client } = clientOf(objects, () => Promise.resolve(ok({})));
    await expect(client.call(hookRequest, subject, name, {}, { signal })).rejects.toThrow(message);
  });

  it('caches responses to the same request if configured', async () => {
    let count = 0;
    const { client, clock } = clientOf(objects, () => Promise.resolve(ok({ count: (count += 1) })));
    const ask = (question: string): Promise<JsonObject> =>
      client.call(hook, subject, 'fails.e', { question }, { signal, cacheMs: 60_000 });
    expect((await ask('a'))['count']).toBe(1);
    expect((await ask('a'))['count']).toBe(1);
    expect((await ask('b'))['count']).toBe(2);
    await clock.advance(60_000);
    expect((await ask('a'))['count']).toBe(3);
  });
});
