import { gunzipSync } from 'node:zlib';
import { StatusError, unauthorized } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { bodyJson, bodyText, createBench, type TestRequest, testRequest } from './test-support.js';

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
      name: 'Known group/version but unknown resource',
      url: '/api/v1/gadgets',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'Unknown *object*',
      url: '/api/v1/namespaces/a/configmaps/y',
      code: 404,
      message: 'configmaps "y" not found',
    },
    {
      name: 'a subresource that the kind does not have',
      url: '/api/v1/namespaces/a/configmaps/x/status',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'a subresource that the custom kind does not have',
      url: '/apis/example.com/v1/namespaces/a/widgets/w/log',
      code: 404,
      message: 'widgets.example.com "w" not found',
    },
    {
      name: '405: verb not supported on an existing resource',
      url: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'HEAD on resources → 405',
      method: 'HEAD',
      url: '/api/v1/namespaces/a/configmaps/x',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'POST to the collection of all namespaces',
      method: 'POST',
      url: '/api/v1/configmaps',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'POST to a name',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps/x',
      code: 405,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      name: 'Singular/short names: the server serves only the plural path',
      url: '/api/v1/namespaces/a/configmap/x',
      code: 404,
      message: 'the server could not find the requested resource',
    },
    {
      name: 'a body in an unknown format',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { headers: { 'content-type': 'text/plain' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    },
    {
      name: 'CBOR',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { headers: { 'content-type': 'application/cbor' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    },
    {
      name: 'a strategic merge patch of a custom resource',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    },
    {
      name: 'a PATCH sent as application/json',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/json' }, body: '{}' },
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    },
    {
      name: 'malformed JSON',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { body: '{"a":' },
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({"a":)`,
    },
    {
      name: 'an empty body',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    },
    {
      name: 'a malformed patch',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/merge-patch+json' }, body: '{' },
      code: 400,
      message: 'error decoding patch: unexpected end of JSON input',
    },
    {
      name: 'a body above the limit',
      method: 'POST',
      url: '/api/v1/namespaces/a/configmaps',
      request: { body: Buffer.alloc(3 * 1024 * 1024 + 1) },
      code: 413,
      message: 'Request entity too large: limit is 3145728',
    },
    {
      name: 'JSON patch ≤ 10 000 operations',
      method: 'PATCH',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { 'content-type': 'application/json-patch+json' }, body: `[${'{},'.repeat(10_000)}{}]` },
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    },
    {
      name: 'an unknown propagation policy',
      method: 'DELETE',
      url: '/api/v1/namespaces/a/configmaps/x?propagationPolicy=Later',
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
    {
      name: 'both orphanDependents and propagationPolicy',
      method: 'DELETE',
      url: '/api/v1/namespaces/a/configmaps/x',
      request: { body: '{"orphanDependents":true,"propagationPolicy":"Orphan"}' },
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    },
    {
      name: 'broken percent-encoding',
      url: '/api/v1/namespaces/%zz',
      code: 400,
      message: 'the request path is not properly encoded',
    },
    {
      name: 'an invalid timeout',
      url: '/api/v1/configmaps?timeout=soon',
      code: 400,
      message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
    },
    {
      name: 'nothing acceptable',
      url: '/apis/example.com/v1/namespaces/a/widgets/w',
      request: { headers: { accept: 'text/html' } },
      code: 406,
      message: 'only the following media types are accepted: application/json, application/yaml',
    },
    {
      name: 'a list as one PartialObjectMetadata',
      url: '/apis/example.com/v1/widgets',
      request: { headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } },
      code: 406,
      message:
        'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
    },
  ];

describe('refusals', () => {
  it.each(failures)('$name', async ({ method, url, request, code, message }) => {
    const { response, text } = await call(method ?? 'GET', url, request);
    expect({ ...(JSON.parse(text) as object), status: response.status }).toMatchObject({
      kind: 'Status',
      message,
      code,
      status: code,
    });
  });

  it.each(['/apis/unknown.example.com/v1/things', '/api/v2/pods', '/nothing', '/apis/example.com/v1alpha1/widgets'])(
    'Unknown group or version (A 404 for an unserved version of an existing group): %s',
    async (url) => {
      const { response, text } = await call('GET', url);
      expect([response.status, response.headers['content-type'], text]).toEqual([
        404,
        'text/plain; charset=utf-8',
        '404 page not found\n',
      ]);
    },
  );

  it('POST of a custom resource without its namespace is not there at all', async () => {
    expect((await call('POST', '/apis/example.com/v1/widgets', { body: '{}' })).response.status).toBe(404);
  });

  it('Authorization runs before existence: an unauthorised caller asking for a non-existent path sees 403, never 404', async () => {
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

  it('invalid credentials are a 401 Status', async () => {
    const bench = createBench({
      resolveUser: () => {
        throw unauthorized();
      },
    });
    const { response, text } = await call('GET', '/api', {}, bench);
    expect([response.status, JSON.parse(text)]).toEqual([401, expect.objectContaining({ reason: 'Unauthorized' })]);
  });

  it('an unexpected failure is a 500 Status', async () => {
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

  it('a retry delay becomes a header', async () => {
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

  it('On expiry 504 with reason `Timeout`', async () => {
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
    '`__proto__` in a body is data: %s',
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
  ])('hostile %s is a 400 in bounded time', async (_name, contentType, body) => {
    const { response } = await call('POST', '/api/v1/namespaces/a/configmaps', {
      headers: { 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(400);
  });
});

describe('answers', () => {
  it('sends stored bytes with a trailing newline and the common headers', async () => {
    const { response, text } = await call('GET', '/api/v1/namespaces/a/configmaps/x');
    expect(text).toBe(`${JSON.stringify(config('x'))}\n`);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'audit-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });

  it('`Audit-Id` (uuid, echo if supplied)', async () => {
    expect((await call('GET', '/version', { headers: { 'audit-id': 'mine' } })).response.headers['audit-id']).toBe(
      'mine',
    );
  });

  it('Custom-resource lists print `"continue":""`, built-in lists omit it; items carry kind and apiVersion only there', async () => {
    const builtIn = await call('GET', '/api/v1/configmaps');
    const { kind: _kind, apiVersion: _apiVersion, ...item } = config('x');
    expect(JSON.parse(builtIn.text)).toEqual({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '77' },
      items: [item],
    });
    const custom = await call('GET', '/apis/example.com/v1/widgets');
    expect(JSON.parse(custom.text)).toEqual({
      kind: 'WidgetList',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '77', continue: '' },
      items: [widget('w')],
    });
  });

  it('An empty list must encode `"items":[]`, never null', async () => {
    const bench = createBench();
    const response = await bench.handler.handle(testRequest('GET', '/api/v1/configmaps'));
    expect(bodyText(response)).toBe(
      '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"77"},"items":[]}\n',
    );
  });

  it('remainingItemCount absent with selectors: passed on when the registry gives it', async () => {
    const bench = createBench();
    bench.registry.listExtra = { continue: 'next', remainingItemCount: 3 };
    expect(bodyJson(await bench.handler.handle(testRequest('GET', '/api/v1/configmaps?limit=1')))).toMatchObject({
      metadata: { continue: 'next', remainingItemCount: 3 },
    });
  });

  it('Table responses keep `metadata.resourceVersion` and `continue`', async () => {
    const bench = createBench();
    bench.registry.listExtra = { continue: 'next', remainingItemCount: 3 };
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { text } = await call('GET', '/api/v1/configmaps', { headers: { accept } }, bench);
    expect(JSON.parse(text)).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '77', continue: 'next', remainingItemCount: 3 },
      columnDefinitions: [
        expect.objectContaining({ name: 'Name', type: 'string', format: 'name', priority: 0 }),
        expect.objectContaining({ name: 'Age', type: 'date', format: '' }),
      ],
      rows: [
        {
          cells: ['x', '5m'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: config('x').metadata },
        },
      ],
    });
  });

  it.each([
    ['None', null],
    ['Object', config('x')],
  ])('includeObject=%s', async (include, object) => {
    const accept = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
    const { text } = await call('GET', `/api/v1/namespaces/a/configmaps/x?includeObject=${include}`, {
      headers: { accept },
    });
    expect(JSON.parse(text)).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1', rows: [{ object }] });
  });

  it('PartialObjectMetadata and its list', async () => {
    const one = await call('GET', '/api/v1/namespaces/a/configmaps/x', {
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    });
    expect(JSON.parse(one.text)).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: config('x').metadata,
    });
    const all = await call('GET', '/api/v1/configmaps', {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
    });
    expect(JSON.parse(all.text)).toMatchObject({
      kind: 'PartialObjectMetadataList',
      metadata: { resourceVersion: '77' },
      items: [{ kind: 'PartialObjectMetadata' }],
    });
  });

  it('YAML and indented JSON', async () => {
    const yaml = await call('GET', '/api/v1/namespaces/a/configmaps/x', { headers: { accept: 'application/yaml' } });
    expect(yaml.response.headers['content-type']).toBe('application/yaml');
    expect(yaml.text).toMatch(/^apiVersion: v1\ndata: {}\nkind: ConfigMap\nmetadata:\n/);
    const pretty = await call('GET', '/api/v1/namespaces/a/configmaps/x?pretty=true');
    expect(pretty.text).toBe(`${JSON.stringify(config('x'), null, 2)}\n`);
  });

  it('A GET with an unknown query (e.g. `?pretty`) must be ignored', async () => {
    expect((await call('GET', '/api/v1/namespaces/a/configmaps/x?pretty&export=true&a=%zz')).response.status).toBe(200);
  });

  it('gzip: honour `Accept-Encoding: gzip` for bodies > 128 KiB, small bodies are uncompressed', async () => {
    const bench = createBench();
    bench.registry.put(config('big', { a: 'x'.repeat(200_000) }));
    const headers = { 'accept-encoding': 'gzip, deflate' };
    const { response } = await call('GET', '/api/v1/namespaces/a/configmaps/big', { headers }, bench);
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(response.body as Buffer).length).toBeGreaterThan(200_000);
    expect(
      (await call('GET', '/api/v1/namespaces/a/configmaps/x', { headers }, bench)).response.headers['content-encoding'],
    ).toBeUndefined();
    expect(
      (await call('GET', '/api/v1/namespaces/a/configmaps/big', {}, bench)).response.headers['content-encoding'],
    ).toBeUndefined();
  });

  it('deprecated versions and warnings of the registry become `Warning` headers', async () => {
    const bench = createBench();
    bench.registry.intercept = (_verb, caller) => {
      (caller as { warn(text: string): void }).warn('unknown field "spec.foo"');
    };
    const { response } = await call('GET', '/apis/example.com/v1beta1/widgets', {}, bench);
    expect(response.headers['warning']).toEqual([
      '299 - "example.com/v1beta1 Widget is deprecated"',
      '299 - "unknown field \\"spec.foo\\""',
    ]);
  });

  it('create 201, apply creating 201, delete a Status with details', async () => {
    const body = JSON.stringify(config('n'));
    expect((await call('POST', '/api/v1/namespaces/a/configmaps', { body })).response.status).toBe(201);
    const applied = await call('PATCH', '/apis/example.com/v1/namespaces/a/widgets/w?fieldManager=m&force=true', {
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: 'kind: Widget\nmetadata: {name: w}',
    });
    expect(applied.response.status).toBe(201);
    expect(applied.bench.registry.calls.at(-1)?.arguments.slice(3)).toEqual([
      { type: 'apply', value: { kind: 'Widget', metadata: { name: 'w' } }, duplicateKeys: [] },
      { fieldManager: 'm', force: true },
      '',
    ]);
    const deleted = await call('DELETE', '/apis/example.com/v1/namespaces/a/widgets/w', {
      body: '{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background","preconditions":{"uid":"u"}}',
    });
    expect(JSON.parse(deleted.text)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'w', group: 'example.com', kind: 'widgets', uid: 'u-1' },
    });
    expect(deleted.bench.registry.calls.at(-1)?.arguments[3]).toEqual({
      propagationPolicy: 'Background',
      preconditions: { uid: 'u', resourceVersion: undefined },
    });
  });

  it('YAML bodies follow YAML 1.1, and duplicate keys are reported', async () => {
    const body =
      'kind: ConfigMap\nmetadata:\n  name: y\n  namespace: a\ndata:\n  a: on\n  b: "x"\n  b: 0777\n  t: 2001-01-01\n  m: 1:30\n';
    const { bench } = await call('POST', '/api/v1/namespaces/a/configmaps', {
      headers: { 'content-type': 'application/yaml' },
      body,
    });
    expect(bench.registry.calls.at(-1)?.arguments[2]).toMatchObject({
      value: { data: { a: true, b: 511, t: '2001-01-01', m: '1:30' } },
      duplicateKeys: ['data.b'],
    });
  });

  it('create subresources go to their function', async () => {
    const { response, text } = await call('POST', '/api/v1/namespaces/a/serviceaccounts/default/token', {
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest"}',
    });
    expect([response.status, JSON.parse(text)]).toEqual([
      201,
      {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name: 'default' },
        status: { token: 't' },
      },
    ]);
  });

  it('The UA-header prefix names the manager when fieldManager is absent', async () => {
    const { bench } = await call('GET', '/api/v1/configmaps', { headers: { 'user-agent': 'manager (linux/amd64) x' } });
    expect(bench.registry.calls.at(-1)?.arguments[0]).toMatchObject({ userAgent: 'manager' });
  });

  it('a namespace object is read at the cluster scope', async () => {
    const bench = createBench();
    bench.registry.put({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' } });
    expect((await call('GET', '/api/v1/namespaces/a', {}, bench)).response.status).toBe(200);
  });
});
