import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesServer } from '../src/index.js';
import { callJson, type Json, startKubernetesServer } from './kubernetes-support.js';
import { request } from './server-support.js';

let server: KubernetesServer;
let session: ClientHttp2Session;

beforeAll(async () => {
  ({ server, session } = await startKubernetesServer());
});

afterAll(async () => {
  session.close();
  await server.stop();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callJson(session, method, path, body, headers);

const maps = '/api/v1/namespaces/default/configmaps';
const config = (name: string, data: Record<string, string> = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data,
});

/** Returns the events of a watch one by one. */
class Events {
  readonly #ready: Json[] = [];
  #text = '';
  #waiting: ((event: Json) => void) | undefined;

  constructor(readonly stream: ClientHttp2Stream) {
    stream.on('data', (chunk: Buffer) => this.#receive(chunk.toString('utf8')));
  }

  next(): Promise<Json> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #receive(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as Json;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#ready.push(event);
      else waiting(event);
    }
  }
}

describe('objects over HTTP', () => {
  it('are created, read, patched, listed as a table and deleted', async () => {
    const created = await call('POST', maps, config('life', { a: '1' }));
    expect([created.status, created.json]).toEqual([
      201,
      expect.objectContaining({ kind: 'ConfigMap', data: { a: '1' } }),
    ]);
    const patched = await call(
      'PATCH',
      `${maps}/life?fieldManager=me`,
      { data: { b: '2' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(patched.json['data']).toEqual({ a: '1', b: '2' });
    const table = await call('GET', maps, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(table.json['rows']).toContainEqual(expect.objectContaining({ cells: expect.arrayContaining(['life']) }));
    const applied = await call(
      'PATCH',
      `${maps}/applied?fieldManager=me`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {a: "1"}\n',
      { 'content-type': 'application/apply-patch+yaml' },
    );
    expect(applied.status).toBe(201);
    const deleted = await call('DELETE', `${maps}/life`);
    expect(deleted.json).toMatchObject({ status: 'Success', details: { name: 'life', kind: 'configmaps' } });
    expect((await call('GET', `${maps}/life`)).json).toMatchObject({
      code: 404,
      message: 'configmaps "life" not found',
    });
  });

  it('default to fieldValidation Warn: unknown fields cause Warning headers and the write succeeds', async () => {
    const warned = await call('POST', maps, { ...config('warned'), unk: 1 });
    expect([warned.status, warned.headers['warning']]).toEqual([201, '299 - "unknown field \\"unk\\""']);
    const strict = await call('POST', `${maps}?fieldValidation=Strict`, { ...config('strict'), unk: 1 });
    expect(strict.status).toBe(400);
  });

  it('are listed in pages with the same resourceVersion and a continue token', async () => {
    for (const name of ['p1', 'p2', 'p3'])
      await call('POST', '/api/v1/namespaces/kube-public/configmaps', config(name));
    const path = '/api/v1/namespaces/kube-public/configmaps?limit=2';
    const first = (await call('GET', path)).json['metadata'] as {
      continue: string;
      remainingItemCount: number;
      resourceVersion: string;
    };
    expect(first.remainingItemCount).toBeGreaterThanOrEqual(1);
    const second = await call('GET', `${path}&continue=${encodeURIComponent(first.continue)}`);
    expect((second.json['metadata'] as Json)['resourceVersion']).toBe(first.resourceVersion);
  });
});

describe('watches over HTTP', () => {
  it('stream the state, the end marker and live events with sendInitialEvents', async () => {
    await call('POST', maps, config('seen'));
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dseen';
    const events = new Events(session.request({ ':path': `${maps}?${query}` }));
    expect(await events.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'seen' } } });
    expect(await events.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    await call('PATCH', `${maps}/seen`, { data: { a: '1' } }, { 'content-type': 'application/merge-patch+json' });
    expect(await events.next()).toMatchObject({ type: 'MODIFIED', object: { data: { a: '1' } } });
    await call('DELETE', `${maps}/seen`);
    expect(await events.next()).toMatchObject({ type: 'DELETED' });
    events.stream.close();
  });

  it('return 422 for sendInitialEvents without resourceVersionMatch=NotOlderThan', async () => {
    expect((await call('GET', `${maps}?watch=true&sendInitialEvents=true`)).status).toBe(422);
  });

  it('end cleanly after timeoutSeconds', async () => {
    const answer = await request(session, {
      ':path': `${maps}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dnone`,
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('documents over HTTP', () => {
  it('contain only OpenAPI references that resolve', async () => {
    const { paths } = (await call('GET', '/openapi/v3')).json as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      const document = (await call('GET', serverRelativeURL)).json as { components: { schemas: Json } };
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name ?? '',
      );
      const missing = references.filter((name) => !Object.hasOwn(document.components.schemas, name));
      expect({ path, missing }).toEqual({ path, missing: [] });
    }
  });

  it('show a custom resource in discovery, OpenAPI and lists as soon as it is established', async () => {
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const events = new Events(session.request({ ':path': `${definitions}?watch=true` }));
    expect((await call('POST', definitions, crd)).status).toBe(201);
    for (let event = await events.next(); !isEstablished(event); event = await events.next())
      expect(event['type']).not.toBe('ERROR');
    events.stream.close();
    expect((await call('GET', '/apis/example.com/v1')).json).toMatchObject({
      resources: [{ name: 'widgets', kind: 'Widget' }],
    });
    const created = await call('POST', '/apis/example.com/v1/namespaces/default/widgets', {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { size: 1 },
    });
    expect(created.status).toBe(201);
    expect((await call('GET', '/openapi/v3/apis/example.com/v1')).json).toMatchObject({
      components: {
        schemas: { 'com.example.v1.Widget': { properties: { spec: { properties: { size: { type: 'integer' } } } } } },
      },
    });
    expect((await call('GET', '/apis/example.com/v1/widgets')).json).toMatchObject({
      metadata: { continue: '' },
      items: [{ kind: 'Widget' }],
    });
  });
});

function isEstablished(event: Json): boolean {
  const { status } = event['object'] as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True') ?? false;
}
