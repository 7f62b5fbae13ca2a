import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, custom, customPath, defineCustom, Harness, type Json } from './harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await Harness.start();
  await defineCustom(harness, 'boats', [
    {
      status: true,
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          ratio: { type: 'number' },
          color: { type: 'string', default: 'blue' },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  ]);
  await defineCustom(harness, 'plains', [{}]);
});

afterAll(() => harness.stop());

const boats = customPath('boats');

async function stored(path: string): Promise<Json> {
  return (await harness.get(path)).body;
}

describe('subtle behaviours: writes', () => {
  it('No-op PUT/PATCH/apply must not change resourceVersion or emit an event [1]', async () => {
    const { body: created } = await harness.post(boats, custom('Boat', 'noop', { size: 1 }));
    const watch = await harness.watch(`${boats}?watch=true&resourceVersion=${created['metadata'].resourceVersion}`);
    const replies = [
      await harness.put(`${boats}/noop`, created),
      await harness.merge(`${boats}/noop`, { spec: { size: 1 } }),
      await harness.call('PATCH', `${boats}/noop`, [{ op: 'replace', path: '/spec/size', value: 1 }], {
        contentType: 'application/json-patch+json',
      }),
    ];
    for (const { code, body } of replies) {
      expect(code).toBe(200);
      expect(body['metadata'].resourceVersion).toBe(created['metadata'].resourceVersion);
    }
    await harness.post(boats, custom('Boat', 'noop-marker'));
    expect((await watch.next()).object['metadata'].name).toBe('noop-marker');
    watch.close();
  });

  it('Defaulted fields count in the no-op comparison: a PUT omitting defaulted fields is still a no-op [2]', async () => {
    const { body: created } = await harness.post(boats, custom('Boat', 'defaulted', { size: 1 }));
    expect(created['spec'].color).toBe('blue');
    const { body } = await harness.put(`${boats}/defaulted`, { ...created, spec: { size: 1 } });
    expect(body['metadata'].resourceVersion).toBe(created['metadata'].resourceVersion);
  });

  it('Removing the last finalizer is one transition: 200 with the final object + a DELETED event at a new RV [5]', async () => {
    const { body: created } = await harness.post(
      configMaps,
      configMap('held', {}, { finalizers: ['example.com/hold'] }),
    );
    const deleted = await harness.delete(`${configMaps}/held`);
    expect(deleted.body['metadata'].deletionTimestamp).toBeDefined();
    const { resourceVersion } = deleted.body['metadata'];
    const watch = await harness.watch(`${configMaps}?watch=true&resourceVersion=${resourceVersion}`);
    const released = await harness.merge(`${configMaps}/held`, { metadata: { finalizers: null } });
    expect(released.code).toBe(200);
    expect(released.body['metadata'].resourceVersion).toBe(resourceVersion);
    const event = await watch.next();
    expect(event.type).toBe('DELETED');
    expect(Number(event.object['metadata'].resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    expect((await harness.get(`${configMaps}/held`)).code).toBe(404);
    expect(created['metadata'].uid).toBe(event.object['metadata'].uid);
    watch.close();
  });

  it('generation bumps on spec change, also once when deletionTimestamp is set; never on metadata/status change [6]', async () => {
    const object = custom('Boat', 'generations', { size: 1 });
    const created = await harness.post(boats, {
      ...object,
      metadata: { name: 'generations', finalizers: ['example.com/hold'] },
    });
    const generation = async (): Promise<number> =>
      (await stored(`${boats}/generations`))['metadata'].generation as number;
    expect(created.body['metadata'].generation).toBe(1);
    await harness.merge(`${boats}/generations`, { metadata: { labels: { a: 'b' } } });
    await harness.merge(`${boats}/generations/status`, { status: { phase: 'x' } });
    expect(await generation()).toBe(1);
    await harness.merge(`${boats}/generations`, { spec: { size: 2 } });
    expect(await generation()).toBe(2);
    await harness.delete(`${boats}/generations`);
    await harness.delete(`${boats}/generations`);
    expect(await generation()).toBe(3);
  });

  it('Without a status subresource a status change bumps generation [6]', async () => {
    await harness.post(customPath('plains'), custom('Plain', 'p', {}));
    const { body } = await harness.merge(`${customPath('plains')}/p`, { status: { phase: 'x' } });
    expect(body['metadata'].generation).toBe(2);
  });

  it('Creating a CR with .status when the subresource is on: status silently dropped [7]', async () => {
    const { code, body } = await harness.post(boats, custom('Boat', 'dropped', {}, { status: { phase: 'x' } }));
    expect(code).toBe(201);
    expect(body['status']).toBeUndefined();
  });

  it('/status PUT ignores labels/annotations/spec/finalizers; main PUT ignores status; both need a current resourceVersion [8]', async () => {
    const { body: created } = await harness.post(boats, custom('Boat', 'parts', { size: 1 }));
    const meta = { ...created['metadata'], labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['x/y'] };
    const viaStatus = await harness.put(`${boats}/parts/status`, {
      ...created,
      metadata: meta,
      spec: { size: 9 },
      status: { phase: 'on' },
    });
    expect(viaStatus.body['status']).toEqual({ phase: 'on' });
    expect(viaStatus.body['spec'].size).toBe(1);
    for (const field of ['labels', 'annotations', 'finalizers'])
      expect(viaStatus.body['metadata'][field]).toBeUndefined();
    expect((await harness.put(`${boats}/parts`, created)).code).toBe(409);
    expect((await harness.put(`${boats}/parts/status`, created)).code).toBe(409);
    const viaMain = await harness.put(`${boats}/parts`, {
      ...viaStatus.body,
      spec: { size: 2 },
      status: { phase: 'off' },
    });
    expect([viaMain.body['spec'].size, viaMain.body['status'].phase]).toEqual([2, 'on']);
  });

  it('PUT without resourceVersion on a custom resource is 422, on a ConfigMap it is fine [9]', async () => {
    await harness.post(boats, custom('Boat', 'blind'));
    const refused = await harness.put(`${boats}/blind`, custom('Boat', 'blind'));
    expect(refused.code).toBe(422);
    expect(refused.body['message']).toBe(
      'boats.example.com "blind" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
    await harness.post(configMaps, configMap('blind'));
    expect((await harness.put(`${configMaps}/blind`, configMap('blind', { a: '1' }))).code).toBe(200);
  });

  it('PUT with a name not existing is 404 for custom resources (no upsert); apply patch upserts [10]', async () => {
    expect((await harness.put(`${boats}/absent`, custom('Boat', 'absent'))).code).toBe(404);
    expect((await harness.apply(`${boats}/upserted`, 'me', custom('Boat', 'upserted'))).code).toBe(201);
  });

  it('PUT with RV on a non-existing object is 404, or 409 for kinds allowing create-on-update [11]', async () => {
    const withVersion = { ...custom('Boat', 'absent'), metadata: { name: 'absent', resourceVersion: '5' } };
    expect((await harness.put(`${boats}/absent`, withVersion)).code).toBe(404);
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'absent', resourceVersion: '5' },
      spec: {},
    };
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    expect((await harness.put(`${leases}/absent`, lease)).code).toBe(409);
  });

  it('Optimistic lock applies to DELETE through preconditions only [12]', async () => {
    const { body } = await harness.post(configMaps, configMap('locked'));
    await harness.merge(`${configMaps}/locked`, { data: { a: '1' } });
    const stale = { preconditions: { resourceVersion: body['metadata'].resourceVersion } };
    expect((await harness.delete(`${configMaps}/locked`, stale)).code).toBe(409);
    expect((await harness.delete(`${configMaps}/locked`, { preconditions: { uid: 'other' } })).code).toBe(409);
    expect((await harness.delete(`${configMaps}/locked`)).code).toBe(200);
  });

  it('metadata.resourceVersion inside a merge patch is a precondition, and removing it (null) is not [13]', async () => {
    const { body } = await harness.post(configMaps, configMap('versioned'));
    await harness.merge(`${configMaps}/versioned`, { data: { a: '1' } });
    const stale = { metadata: { resourceVersion: body['metadata'].resourceVersion }, data: { a: '2' } };
    expect((await harness.merge(`${configMaps}/versioned`, stale)).code).toBe(409);
    const none = { metadata: { resourceVersion: null }, data: { a: '2' } };
    expect((await harness.merge(`${configMaps}/versioned`, none)).code).toBe(200);
  });

  it('Conflict reason is Conflict, create clash AlreadyExists; both 409 [14]', async () => {
    const { body } = await harness.post(configMaps, configMap('clash'));
    const again = await harness.post(configMaps, configMap('clash'));
    expect([again.code, again.body['reason']]).toEqual([409, 'AlreadyExists']);
    await harness.merge(`${configMaps}/clash`, { data: { a: '1' } });
    const stale = await harness.put(`${configMaps}/clash`, body);
    expect([stale.code, stale.body['reason']]).toEqual([409, 'Conflict']);
  });

  it('Invalid uses Kind in details.kind, NotFound uses resource plural; group always in details.group [15]', async () => {
    const invalid = await harness.post(boats, custom('Boat', 'wrong', { size: 'x' }));
    expect(invalid.body['details']).toMatchObject({ kind: 'Boat', group: 'example.com', name: 'wrong' });
    const missing = await harness.get(`${boats}/missing`);
    expect(missing.body['details']).toEqual({ name: 'missing', group: 'example.com', kind: 'boats' });
  });

  it('Deleting an already-terminating object returns 200 and the object [26]', async () => {
    await harness.post(configMaps, configMap('twice', {}, { finalizers: ['example.com/hold'] }));
    const first = await harness.delete(`${configMaps}/twice`);
    const second = await harness.delete(`${configMaps}/twice`);
    expect(second.code).toBe(200);
    expect(second.body['kind']).toBe('ConfigMap');
    expect(second.body['metadata'].resourceVersion).toBe(first.body['metadata'].resourceVersion);
  });

  it('Finalizer additions while terminating are rejected, removals accepted, other spec edits accepted [27]', async () => {
    await harness.post(configMaps, configMap('ending', {}, { finalizers: ['example.com/a', 'example.com/b'] }));
    await harness.delete(`${configMaps}/ending`);
    const added = await harness.merge(`${configMaps}/ending`, {
      metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] },
    });
    expect(added.code).toBe(422);
    expect(added.body['message']).toContain(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
    );
    expect((await harness.merge(`${configMaps}/ending`, { data: { a: '1' } })).code).toBe(200);
    expect((await harness.merge(`${configMaps}/ending`, { metadata: { finalizers: ['example.com/a'] } })).code).toBe(
      200,
    );
  });

  it('Namespace creation enforces kubernetes.io/metadata.name; editing it away is undone [28]', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'labelled' } };
    const { body } = await harness.post('/api/v1/namespaces', namespace);
    expect(body['metadata'].labels).toEqual({ 'kubernetes.io/metadata.name': 'labelled' });
    const edited = await harness.merge('/api/v1/namespaces/labelled', {
      metadata: { labels: { 'kubernetes.io/metadata.name': null } },
    });
    expect(edited.body['metadata'].labels).toEqual({ 'kubernetes.io/metadata.name': 'labelled' });
  });

  it('int64 exactness; 1.0 and 1 are the same number for no-op detection [33]', async () => {
    const text = JSON.stringify(custom('Boat', 'exact', {})).replace(
      '"spec":{}',
      '"spec":{"ratio":1.0,"free":{"big":9007199254740993}}',
    );
    const reply = await harness.post(boats, text);
    expect(reply.code).toBe(201);
    const raw = await harness.server.handler.handle({
      method: 'GET',
      url: `${boats}/exact`,
      headers: { authorization: 'Bearer admin' },
      remoteAddress: '',
      clientCertificate: undefined,
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      onClose: () => undefined,
    });
    expect(Buffer.concat([raw.body as Buffer].flat()).toString()).toContain('"big":9007199254740993');
    const again = await harness.merge(`${boats}/exact`, '{"spec":{"ratio":1.0}}');
    expect(again.body['metadata'].resourceVersion).toBe(reply.body['metadata'].resourceVersion);
  });

  it('Duplicate keys are an error in Strict and a warning in Warn [34]', async () => {
    const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"dup"},"data":{"a":"1","a":"2"}}';
    const strict = await harness.post(`${configMaps}?fieldValidation=Strict`, text);
    expect(strict.code).toBe(400);
    expect(strict.body['message']).toContain('strict decoding error: duplicate field "data.a"');
    const warned = await harness.post(configMaps, text);
    expect(warned.code).toBe(201);
    expect(warned.warnings.join()).toContain('duplicate field');
    expect(warned.body['data']).toEqual({ a: '2' });
  });

  it('create on an object being deleted: 409 AlreadyExists "object is being deleted" [45]', async () => {
    await harness.post(configMaps, configMap('leaving', {}, { finalizers: ['example.com/hold'] }));
    await harness.delete(`${configMaps}/leaving`);
    const again = await harness.post(configMaps, configMap('leaving'));
    expect(again.body).toMatchObject({
      reason: 'AlreadyExists',
      message: 'object is being deleted: configmaps "leaving" already exists',
    });
  });

  it('dryRun create with generateName returns a generated name, and must not reserve names [51]', async () => {
    const dry = await harness.post(
      `${configMaps}?dryRun=All`,
      configMap('', {}, { name: undefined, generateName: 'dry-' }),
    );
    expect(dry.code).toBe(201);
    expect(dry.body['metadata'].name).toMatch(/^dry-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(dry.body['metadata'].resourceVersion).toBeUndefined();
    expect((await harness.get(`${configMaps}/${dry.body['metadata'].name as string}`)).code).toBe(404);
  });

  it('fieldValidation default is Warn: unknown fields give Warning headers though the write succeeds [52]', async () => {
    const reply = await harness.post(configMaps, { ...configMap('unknown'), spam: 1 });
    expect(reply.code).toBe(201);
    expect(reply.warnings).toEqual(['299 - "unknown field \\"spam\\""']);
  });

  it('Warnings are deduplicated [53]', async () => {
    const finalizers = ['foo', 'foo'];
    const reply = await harness.post(boats, { ...custom('Boat', 'warned'), metadata: { name: 'warned', finalizers } });
    expect(reply.warnings).toHaveLength(1);
    expect(reply.warnings[0]).toContain('prefer a domain-qualified finalizer name');
  });

  it('metadata.name max 253 but label values 63: validation rejects >63 in labels precisely (422) [66]', async () => {
    const long = 'a'.repeat(64);
    const named = await harness.post(configMaps, configMap('a'.repeat(253)));
    expect(named.code).toBe(201);
    const labelled = await harness.post(configMaps, configMap('toolong', {}, { labels: { key: long } }));
    expect(labelled.code).toBe(422);
    expect(labelled.body['message']).toContain('must be no more than 63');
    expect((await harness.post(configMaps, configMap('fits', {}, { labels: { key: long.slice(1) } }))).code).toBe(201);
  });

  it('creationTimestamp has second precision [67]', async () => {
    const { body } = await harness.post(configMaps, configMap('timed'));
    expect(body['metadata'].creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('MicroTime must keep 6 digits; Time must not have fractions [68]', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'micro' },
      spec: { renewTime: '2024-01-02T03:04:05.000006Z' },
    };
    const { body } = await harness.post('/apis/coordination.k8s.io/v1/namespaces/default/leases', lease);
    expect(body['spec'].renewTime).toBe('2024-01-02T03:04:05.000006Z');
  });

  it('Secrets: stringData overrides data and is never returned [69]', async () => {
    const { body } = await harness.post('/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: 'b2xk', b: 'a2VwdA==' },
      stringData: { a: 'new' },
    });
    expect(body['data']).toEqual({ a: 'bmV3', b: 'a2VwdA==' });
    expect(body['stringData']).toBeUndefined();
  });

  it('Events in both API groups share names/RVs: creating through one is visible through watch on the other [70]', async () => {
    const events = '/apis/events.k8s.io/v1/namespaces/default/events';
    const watch = await harness.watch(
      `${events}?watch=true&resourceVersion=${(await harness.get(events)).body['metadata'].resourceVersion}`,
    );
    const { body } = await harness.post('/api/v1/namespaces/default/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'seen' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'x' },
      message: 'told',
      reason: 'Because',
      type: 'Normal',
    });
    const event = await watch.next();
    expect(event.object).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'told', regarding: { name: 'x' } });
    expect(event.object['metadata'].resourceVersion).toBe(body['metadata'].resourceVersion);
    watch.close();
  });

  it('Empty-string vs absent: namespace "" in a namespaced body is filled from the URL [80]', async () => {
    const { code, body } = await harness.post(configMaps, configMap('empty', {}, { namespace: '' }));
    expect([code, body['metadata'].namespace]).toEqual([201, 'default']);
  });
});
