import { VirtualClock } from '@slipway/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, custom, customPath, defineCustom, Harness, type Json } from './harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await Harness.start();
  await defineCustom(harness, 'boats', [{}]);
});

afterAll(() => harness.stop());

async function namespace(name: string): Promise<string> {
  await harness.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
}

/**
 * Creates a namespace and returns the path of its Secrets. A controller creates a ConfigMap in every namespace, so tests with
 * exact counts list Secrets instead.
 */
async function secretsOf(name: string): Promise<string> {
  return (await namespace(name)).replace('configmaps', 'secrets');
}

function secret(name: string, metadata: Json = {}): Json {
  return { ...configMap(name, {}, metadata), kind: 'Secret' };
}

describe('subtle behaviours: lists and watches', () => {
  it("The list's resourceVersion is global; a watch started from it must not replay older or lose newer events [3]", async () => {
    const path = await namespace('consistent');
    await harness.post(path, configMap('before'));
    const { body: elsewhere } = await harness.post(configMaps, configMap('elsewhere'));
    const { body: list } = await harness.get(path);
    expect(Number(list['metadata'].resourceVersion)).toBeGreaterThanOrEqual(
      Number(elsewhere['metadata'].resourceVersion),
    );
    const watch = await harness.watch(`${path}?watch=true&resourceVersion=${list['metadata'].resourceVersion}`);
    await harness.post(path, configMap('after'));
    const event = await watch.next();
    expect([event.type, event.object['metadata'].name]).toEqual(['ADDED', 'after']);
    watch.close();
  });

  it('DELETED events carry a new resourceVersion, larger than the last MODIFIED [4]', async () => {
    const path = await namespace('deleted');
    await harness.post(path, configMap('gone'));
    const { body: modified } = await harness.merge(`${path}/gone`, { data: { a: '1' } });
    const watch = await harness.watch(`${path}?watch=true&resourceVersion=${modified['metadata'].resourceVersion}`);
    await harness.delete(`${path}/gone`);
    const event = await watch.next();
    expect(event.type).toBe('DELETED');
    expect(Number(event.object['metadata'].resourceVersion)).toBeGreaterThan(
      Number(modified['metadata'].resourceVersion),
    );
    expect(event.object['data']).toEqual({ a: '1' });
    watch.close();
  });

  it('Bookmarks only when requested; the initial-events-end bookmark only when sendInitialEvents=true [17]', async () => {
    const clock = new VirtualClock();
    const own = await Harness.start(clock);
    const plain = await own.watch('/api/v1/namespaces/default/secrets?watch=true');
    const marked = await own.watch('/api/v1/namespaces/default/secrets?watch=true&allowWatchBookmarks=true');
    const streaming = await own.watch(
      '/api/v1/namespaces/default/secrets?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    const end = await streaming.next();
    expect(end.type).toBe('BOOKMARK');
    expect(end.object['metadata'].annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    await clock.advance(61_000);
    const bookmark = await marked.next();
    expect(bookmark.type).toBe('BOOKMARK');
    expect(bookmark.object).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
    expect(bookmark.object['metadata'].annotations).toBeUndefined();
    expect(plain.pending()).toEqual([]);
    for (const watch of [plain, marked, streaming]) watch.close();
    await own.stop();
  });

  it('sendInitialEvents with wrong companions must be a 4xx Invalid, not silently ignored [18]', async () => {
    const replies = await Promise.all([
      harness.get(`${configMaps}?watch=true&sendInitialEvents=true`),
      harness.get(`${configMaps}?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1`),
      harness.get(`${configMaps}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`),
    ]);
    expect(replies.map(({ code, body }) => [code, body['reason']])).toEqual(replies.map(() => [422, 'Invalid']));
  });

  it('resourceVersion=0 lists ignore limit; clients never set continue with RV [19]', async () => {
    const path = await secretsOf('whole');
    for (const name of ['a', 'b', 'c']) await harness.post(path, secret(name));
    const { body } = await harness.get(`${path}?resourceVersion=0&limit=1`);
    expect(body['items']).toHaveLength(3);
    const page = await harness.get(`${path}?limit=1`);
    const next = page.body['metadata'].continue as string;
    expect((await harness.get(`${path}?limit=1&continue=${next}&resourceVersion=5`)).code).toBe(400);
  });

  it('Watches with label selectors translate modifications into ADDED/DELETED for that watcher [20]', async () => {
    const path = await namespace('selected');
    const { body } = await harness.post(path, configMap('m', { old: '1' }, { labels: { on: 'no' } }));
    const watch = await harness.watch(
      `${path}?watch=true&labelSelector=on%3Dyes&resourceVersion=${body['metadata'].resourceVersion}`,
    );
    await harness.merge(`${path}/m`, { metadata: { labels: { on: 'yes' } } });
    expect((await watch.next()).type).toBe('ADDED');
    await harness.merge(`${path}/m`, { data: { old: '2' } });
    expect((await watch.next()).type).toBe('MODIFIED');
    const { body: last } = await harness.merge(`${path}/m`, { metadata: { labels: { on: 'no' } }, data: { old: '3' } });
    const gone = await watch.next();
    expect(gone.type).toBe('DELETED');
    expect([gone.object['data'].old, gone.object['metadata'].labels.on]).toEqual(['2', 'yes']);
    expect(gone.object['metadata'].resourceVersion).toBe(last['metadata'].resourceVersion);
    watch.close();
  });

  it('timeoutSeconds closes the stream cleanly; absent is not "no timeout": 30-60 min [22]', async () => {
    const clock = new VirtualClock();
    const own = await Harness.start(clock);
    const short = await own.watch(`${configMaps}?watch=true&timeoutSeconds=5&resourceVersion=1`);
    const plain = await own.watch(`${configMaps}?watch=true&timeoutSeconds=0`);
    await clock.advance(6_000);
    await short.end();
    expect(plain.ended).toBe(false);
    await clock.advance(61 * 60_000);
    await plain.end();
    await own.stop();
  });

  it('410 for expired continue tokens includes a usable new token [23]', async () => {
    const clock = new VirtualClock();
    const own = await Harness.start(clock);
    for (const name of ['a', 'b', 'c']) await own.post(configMaps, configMap(name));
    const page = await own.get(`${configMaps}?limit=1`);
    await clock.advance(10 * 60_000);
    for (let round = 0; round < 3; round += 1) await own.merge(`${configMaps}/c`, { data: { round: String(round) } });
    await clock.advance(10 * 60_000);
    await own.merge(`${configMaps}/c`, { data: { round: 'last' } });
    const expired = await own.get(`${configMaps}?limit=1&continue=${page.body['metadata'].continue as string}`);
    expect([expired.code, expired.body['reason']]).toEqual([410, 'Expired']);
    const rest = await own.get(`${configMaps}?continue=${expired.body['metadata'].continue as string}`);
    const names = (rest.body['items'] as readonly { metadata: { name: string } }[]).map((item) => item.metadata.name);
    expect(names).toEqual(['b', 'c', ...names.slice(2)]);
    await own.stop();
  });

  it('remainingItemCount absent with selectors; custom-resource lists print "continue":"", built-in lists omit it [24]', async () => {
    const path = await secretsOf('counted');
    for (const name of ['a', 'b', 'c']) await harness.post(path, secret(name, { labels: { x: 'y' } }));
    expect((await harness.get(`${path}?limit=1`)).body['metadata'].remainingItemCount).toBe(2);
    const selected = await harness.get(`${path}?limit=1&labelSelector=x`);
    expect(selected.body['metadata'].continue).not.toBe('');
    expect(selected.body['metadata'].remainingItemCount).toBeUndefined();
    expect((await harness.get(path)).body['metadata'].continue).toBeUndefined();
    expect((await harness.get(customPath('boats'))).body['metadata'].continue).toBe('');
  });

  it('pages come from the snapshot of the first page and report the same resourceVersion', async () => {
    const path = await secretsOf('paged');
    for (const name of ['a', 'b', 'c']) await harness.post(path, secret(name));
    const first = await harness.get(`${path}?limit=1`);
    await harness.post(path, secret('bb'));
    await harness.delete(`${path}/c`);
    const rest = await harness.get(`${path}?limit=10&continue=${first.body['metadata'].continue as string}`);
    expect((rest.body['items'] as readonly { metadata: { name: string } }[]).map((item) => item.metadata.name)).toEqual(
      ['b', 'c'],
    );
    expect(rest.body['metadata'].resourceVersion).toBe(first.body['metadata'].resourceVersion);
  });

  it('Table responses keep metadata.resourceVersion and continue [54]', async () => {
    const path = await namespace('tabled');
    for (const name of ['a', 'b']) await harness.post(path, configMap(name));
    const { body } = await harness.get(`${path}?limit=1`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    });
    expect(body['kind']).toBe('Table');
    expect(body['metadata'].resourceVersion).toMatch(/^\d+$/);
    expect(body['metadata'].continue).not.toBe('');
    expect(body['rows'][0].object.kind).toBe('PartialObjectMetadata');
  });

  it('Accept lists are ordered by preference: first supported clause wins [55]', async () => {
    const { body } = await harness.get(configMaps, {
      headers: {
        accept: 'application/vnd.unheard-of,application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,*/*',
      },
    });
    expect(body['kind']).toBe('PartialObjectMetadataList');
  });

  it('Discovery: verbs of a CRD resource are exactly these; status: get, patch, update [56]', async () => {
    await defineCustom(harness, 'ships', [{ status: true }]);
    const { body } = await harness.get('/apis/example.com/v1');
    const verbs = Object.fromEntries(
      (body['resources'] as readonly { name: string; verbs: string[] }[]).map(({ name, verbs: all }) => [name, all]),
    );
    expect(verbs['ships']).toEqual(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);
    expect(verbs['ships/status']).toEqual(['get', 'patch', 'update']);
  });

  it('Singular/short names resolve client-side; the server serves only the plural path [57]', async () => {
    expect((await harness.get('/api/v1/namespaces/default/configmap')).code).toBe(404);
    expect((await harness.get('/api/v1/namespaces/default/cm')).code).toBe(404);
  });

  it('Percent-decoding: names like system%3Anode and encoded selectors [58]', async () => {
    const role = await harness.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode');
    expect(role.body['metadata'].name).toBe('system:node');
    const path = await namespace('decoded');
    await harness.post(path, configMap('in', {}, { labels: { tier: 'a' } }));
    const { body } = await harness.get(`${path}?labelSelector=tier%20in%20%28a%2Cb%29`);
    expect(body['items']).toHaveLength(1);
  });

  it('A GET with an unknown query must be ignored [59]', async () => {
    expect((await harness.get(`${configMaps}?spam=1&export=true`)).code).toBe(200);
  });

  it('A 404 for an unserved version of an existing group, though storage has objects at it [78]', async () => {
    await defineCustom(harness, 'rafts', [{ name: 'v1' }, { name: 'v2', storage: false, served: false }]);
    await harness.post(customPath('rafts'), custom('Raft', 'r'));
    expect((await harness.get(customPath('rafts', 'v2'))).code).toBe(404);
  });
});
