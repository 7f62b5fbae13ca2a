import { StatusError, unauthorized } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { bodyText, createBench, type TestRequest, testRequest } from './test-support.js';

const single = { seats: 1, seatsPerFlow: 1, queuePerFlow: 0 };

const config = (name: string, data: Record<string, string> = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'a', resourceVersion: '5', creationTimestamp: '2025-12-31T23:55:00Z' },
  data,
});
const widget = (name: string) => ({
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name, namespace: 'a', resourceVersion: '6' },
});

async function call(method: string, url: string, request: TestRequest = {}, bench = createBench()) {
  bench.registry.put(config('x'));
  bench.registry.put(widget('w'));
  const response = await bench.handler.handle(testRequest(method, url, request));
  return { response, text: bodyText(response), bench };
}

const failures: { name: string; method?: string; url: string; request?: TestRequest; code: number; message: string }[] =
  [
    {
      name: 'returns 404 for an unknown resource of a known group version',
      url: '/api/v1/gadgets',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'returns 404 for an unknown object',
      url: '/api/v1/namespaces/a/configmaps/y',
      code: 404,
      message: 'configmaps "y" not found',
    },
    {
      name: 'returns 404 for a subresource that the kind does not have',
      url: '/api/v1/namespaces/a/configmaps/x/status',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'returns 404 for a subresource that the custom kind does not have',
      url: '/apis/example.com/v1/namespaces/a/widgets/w/log',
      code: 404,
      message: 'widgets.example.com "w" not found',
    },
    {
      name: 'returns 405 for a verb that an existing resource does not support',
      url: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'rejects POST to the collection of all namespaces',
      method: 'POST',
      url: '/api/v1/configmaps',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'rejects POST to a name',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps/x',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'serves only the plural path, not singular or short names',
      url: '/api/v1/namespaces/a/configmap/x',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'rejects a body in an unknown format',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { headers: { 'content-type': 'text/plain' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    },
    {
      name: 'rejects CBOR',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { headers: { 'content-type': 'application/cbor' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    },
    {
      name: 'rejects a strategic merge patch of a custom resource',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    },
    {
      name: 'rejects a PATCH sent as application/json',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/json' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    },
    {
      name: 'rejects malformed JSON',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { body: '{"a":' },
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({"a":)`,
    },
    {
      name: 'rejects an empty body',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    },
    {
      name: 'rejects a malformed patch',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/merge-patch+json' }, body: '{' },
      code: 400,
      message: 'error decoding patch: unexpected end of JSON input',
    },
    {
      name: 'rejects a body above the limit',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { body: Buffer.alloc(3 * 1024 * 1024 + 1) },
      code: 413,
      message: 'Request entity too large: limit is 3145728',
    },
    {
      name: 'rejects a JSON patch with more than 10,000 operations',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/json-patch+json' }, body: `[${'{},'.repeat(10_000)}{}]` },
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    },
    {
      name: 'rejects an unknown propagation policy',
      method: 'DELETE',
      url: '/api/v1/namespaces/a/configmaps/x?propagationPolicy=Later',
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
    {
      name: 'rejects orphanDependents together with propagationPolicy',
      method: 'DELETE',
      url: '/api/v1/namespaces/a/configmaps/x',
      request: { body: '{"orphanDependents":true,"propagationPolicy":"Orphan"}' },
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    },
    {
      name: 'rejects invalid percent-encoding',
      url: '/api/v1/namespaces/%zz',
      code: 400,
      message: 'the request path is not properly encoded',
    },
    {
      name: 'rejects an invalid timeout',
      url: '/api/v1/configmaps?timeout=soon',
      code: 400,
      message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
    },
    {
      name: 'returns 406 for an unsupported Accept header',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { accept: 'text/html' } },
      code: 406,
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    },
    {
      name: 'rejects a list as one PartialObjectMetadata',
      url: '/apis/example.com/v1/widgets',
      request: { headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } },
      code: 406,
      message:
        'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
    },
  ];

describe('error responses of the API handler', () => {
  it.each(failures)('$name', async ({ method, url, request, code, message }) => {
    const { response, text } = await call(method ?? 'GET', url, request);
    expect({ ...(JSON.parse(text) as object), status: response.status }).toMatchObject({
      kind: 'Status',
      message,
      code,
      status: code,
    });
  });

  it.each(['/apis/unknown.example.com/v1/things', '/nothing', '/apis/example.com/v1alpha1/widgets'])(
    'returns 404 for an unknown group or version: %s',
    async (url) => {
      const { response, text } = await call('GET', url);
      expect([response.status, response.headers['content-type'], text]).toEqual([
        404,
        'text/plain; charset=utf-8',
        '404 page not found\n',
      ]);
    },
  );

  it('reports an unknown version of a built-in group as an unknown resource', async () => {
    const { response, text } = await call('GET', '/api/v2/pods');
    expect([response.status, (JSON.parse(text) as { reason: string }).reason]).toEqual([404, 'NotFound']);
  });

  it('returns 405 without a body for HEAD on resources', async () => {
    const { response } = await call('HEAD', '/api/v1/namespaces/a/configmaps/x');
    expect([response.status, response.body]).toEqual([405, undefined]);
  });

  it('returns 404 for POST of a namespaced custom resource without a namespace', async () => {
    expect((await call('POST', '/apis/example.com/v1/widgets', { body: '{}' })).response.status).toBe(404);
  });

  it('authorizes before the lookup: an unauthorized caller gets 403 for a path that does not exist, never 404', async () => {
    const bench = createBench({ authorizer: { authorize: () => ({ allowed: false, reason: '' }) } });
    const named = await call('GET', '/api/v1/namespaces/ns/secrets/x', {}, bench);
    expect(JSON.parse(named.text)).toMatchObject({
      message:
        'secrets "x" is forbidden: User "tester" cannot get resource "secrets" in API group "" in the namespace "ns"',
      reason: 'Forbidden',
      details: { name: 'x', kind: 'secrets' },
    });
    const listed = await call('GET', '/apis/g.io/v1/things', {}, bench);
    expect(JSON.parse(listed.text)).toMatchObject({
      message:
        'things.g.io is forbidden: User "tester" cannot list resource "things" in API group "g.io" at the cluster scope',
    });
    const path = await call('GET', '/no/<such>', {}, bench);
    expect(JSON.parse(path.text)).toMatchObject({
      message: 'forbidden: User "tester" cannot get path "/no/&lt;such&gt;"',
      details: {},
      code: 403,
    });
  });

  it('returns a 401 Status for invalid credentials', async () => {
    const bench = createBench({
      resolveUser: () => {
        throw unauthorized();
      },
    });
    const { response, text } = await call('GET', '/api', {}, bench);
    expect([response.status, JSON.parse(text)]).toEqual([401, expect.objectContaining({ reason: 'Unauthorized' })]);
  });

  it('returns a 500 Status for an unexpected failure', async () => {
    const bench = createBench();
    bench.registry.intercept = () => {
      throw new TypeError('boom');
    };
    const { response, text } = await call('GET', '/api/v1/configmaps', {}, bench);
    expect([response.status, JSON.parse(text)]).toEqual([
      500,
      expect.objectContaining({ reason: 'InternalError', message: 'Internal error occurred: boom' }),
    ]);
  });

  it('sends a retry delay as a header', async () => {
    const bench = createBench();
    bench.registry.intercept = () => {
      throw new StatusError({
        code: 429,
        reason: 'TooManyRequests',
        message: 'later',
        details: { retryAfterSeconds: 1 },
      });
    };
    expect((await call('GET', '/api/v1/configmaps', {}, bench)).response.headers['retry-after']).toBe('1');
  });

  it('returns 429 with `Retry-After: 1` on overload', async () => {
    const bench = createBench({ flowLimits: { readOnly: single, mutating: single } });
    let release: () => void = () => undefined;
    bench.registry.intercept = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const first = call('GET', '/api/v1/configmaps', {}, bench);
    await new Promise((resolve) => setImmediate(resolve));
    const second = await call('GET', '/api/v1/configmaps', {}, bench);
    expect([second.response.status, second.response.headers['retry-after']]).toEqual([429, '1']);
    release();
    expect((await first).response.status).toBe(200);
    bench.registry.intercept = undefined;
    expect((await call('GET', '/api/v1/configmaps', {}, bench)).response.status).toBe(200);
  });

  it('returns 504 with reason `Timeout` when the deadline passes', async () => {
    const bench = createBench();
    let aborted = false;
    bench.registry.intercept = (_verb, caller) =>
      new Promise(() => {
        (caller as { signal: AbortSignal }).signal.addEventListener('abort', () => {
          aborted = true;
        });
      });
    const pending = call('GET', '/api/v1/configmaps?timeout=2s', {}, bench);
    await bench.clock.advance(2_000);
    const { response, text } = await pending;
    expect([response.status, JSON.parse(text), aborted]).toEqual([
      504,
      expect.objectContaining({
        reason: 'Timeout',
        message: 'Timeout: request did not complete within the allotted timeout',
      }),
      true,
    ]);
  });

  it.each(['{"__proto__":{"a":1},"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"p","namespace":"a"}}'])(
    'treats `__proto__` in a body as an ordinary key: %s',
    async (body) => {
      const { response } = await call('POST', '/api/v1/namespaces/a/configmaps', { body });
      expect(response.status).toBe(201);
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    },
  );

  it.each([
    ['JSON', 'application/json', '['.repeat(100_000)],
    ['YAML', 'application/yaml', '['.repeat(100_000)],
    ['nested YAML sequences', 'application/yaml', '- '.repeat(50_000)],
    [
      'YAML aliases',
      'application/yaml',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghijkl'
          .split('')
          .map((letter, index) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghijkl'[index]}`).join(',')}]`),
      ].join('\n'),
    ],
    ['broken YAML', 'application/yaml', 'a: b: c\n- x'],
  ])('returns 400 in bounded time for hostile %s', async (_name, contentType, body) => {
    const { response } = await call('POST', '/api/v1/namespaces/a/configmaps', {
      headers: { 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(400);
  });
});
