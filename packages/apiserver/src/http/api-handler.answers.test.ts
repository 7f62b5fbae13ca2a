import { gunzipSync } from 'node:zlib';
import { silentLogger } from '@slipway/base';
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

describe('responses of the API handler', () => {
  it('sends stored bytes with a trailing newline and the common headers', async () => {
    const { response, text } = await call('GET', '/api/v1/namespaces/a/configmaps/x');
    expect(text).toBe(`${JSON.stringify(config('x'))}\n`);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'audit-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });

  it('sends `Audit-Id`: a UUID, or the value of the request', async () => {
    expect((await call('GET', '/version', { headers: { 'audit-id': 'mine' } })).response.headers['audit-id']).toBe(
      'mine',
    );
  });

  it('prints `"continue":""` and the kind of items in custom-resource lists only', async () => {
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

  it('encodes an empty list as `"items":[]`, never null', async () => {
    const bench = createBench();
    const response = await bench.handler.handle(testRequest('GET', '/api/v1/configmaps'));
    expect(bodyText(response)).toBe(
      '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"77"},"items":[]}\n',
    );
  });

  it('sends remainingItemCount if the registry returns it', async () => {
    const bench = createBench();
    bench.registry.listExtra = { continue: 'next', remainingItemCount: 3 };
    expect(bodyJson(await bench.handler.handle(testRequest('GET', '/api/v1/configmaps?limit=1')))).toMatchObject({
      metadata: { continue: 'next', remainingItemCount: 3 },
    });
  });

  it('keeps `metadata.resourceVersion` and `continue` in Table responses', async () => {
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
  ])('applies includeObject=%s', async (include, object) => {
    const accept = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
    const { text } = await call('GET', `/api/v1/namespaces/a/configmaps/x?includeObject=${include}`, {
      headers: { accept },
    });
    expect(JSON.parse(text)).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1', rows: [{ object }] });
  });

  it('sends PartialObjectMetadata and its list', async () => {
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

  it('sends YAML, JSON as YAML if it is long, and indented JSON', async () => {
    const yaml = await call('GET', '/api/v1/namespaces/a/configmaps/x', { headers: { accept: 'application/yaml' } });
    expect(yaml.response.headers['content-type']).toBe('application/yaml');
    expect(yaml.text).toMatch(/^apiVersion: v1\ndata: {}\nkind: ConfigMap\nmetadata:\n/);
    const bench = createBench();
    bench.registry.put(config('long', { text: 'x'.repeat(40_000) }));
    const headers = { accept: 'application/yaml' };
    const long = await call('GET', '/api/v1/namespaces/a/configmaps/long', { headers }, bench);
    expect(long.response.headers['content-type']).toBe('application/yaml');
    expect(long.text).toMatch(/^\{"kind":/);
    const pretty = await call('GET', '/api/v1/namespaces/a/configmaps/x?pretty=true');
    expect(pretty.text).toBe(`${JSON.stringify(config('x'), null, 2)}\n`);
  });

  it('ignores unknown query parameters of GET', async () => {
    expect((await call('GET', '/api/v1/namespaces/a/configmaps/x?pretty&export=true&a=%zz')).response.status).toBe(200);
  });

  it('compresses bodies above 128 KiB for `Accept-Encoding: gzip`', async () => {
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

  it('sends `Warning` headers for deprecated versions and warnings of the registry', async () => {
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

  it('returns 201 for a create and an apply that creates, and a Status with details for a delete', async () => {
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

  it('parses YAML bodies as YAML 1.1, and reports duplicate keys', async () => {
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

  it('calls the function of a create-only subresource', async () => {
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

  it('returns 201 for SubjectAccessReview and does not store it', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { response, text, bench } = await call('POST', path, { body: '{"spec":{}}' });
    expect([response.status, JSON.parse(text), bench.registry.calls.map(({ verb }) => verb)]).toEqual([
      201,
      { spec: {}, status: { allowed: true } },
      ['createOnly'],
    ]);
  });

  it('passes on the User-Agent, which names the manager if fieldManager is absent', async () => {
    const { bench } = await call('GET', '/api/v1/configmaps', { headers: { 'user-agent': 'manager (linux/amd64) x' } });
    expect(bench.registry.calls.at(-1)?.arguments[0]).toMatchObject({ userAgent: 'manager (linux/amd64) x' });
  });

  it('reads a namespace object at the cluster scope', async () => {
    const bench = createBench();
    bench.registry.put({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' } });
    expect((await call('GET', '/api/v1/namespaces/a', {}, bench)).response.status).toBe(200);
  });

  it('logs each request with its user', async () => {
    const logged: unknown[] = [];
    const log = (fields: object): void => void logged.push(fields);
    const bench = createBench({ logger: { ...silentLogger, debug: log, warn: log } });
    await call('GET', '/api/v1/configmaps', {}, bench);
    expect(logged).toContainEqual(expect.objectContaining({ path: '/api/v1/configmaps', status: 200, user: 'tester' }));
  });
});
