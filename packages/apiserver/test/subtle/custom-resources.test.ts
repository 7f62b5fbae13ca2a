import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crdVersion, custom, customPath, defineCustom, established, Harness, type Json } from './harness.js';

let harness: Harness;
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

beforeAll(async () => {
  harness = await Harness.start();
});

afterAll(() => harness.stop());

describe('subtle behaviours: custom resources', () => {
  it('Multiple validation errors come in one response: all causes listed, message joined in brackets [16]', async () => {
    const spec = {
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string' } },
    };
    await defineCustom(harness, 'manys', [{ spec }]);
    const { code, body } = await harness.post(customPath('manys'), custom('Many', 'm', { a: 0 }));
    expect(code).toBe(422);
    expect(body['details'].causes).toHaveLength(2);
    expect(body['message']).toMatch(/^Many\.example\.com "m" is invalid: \[spec\..*, spec\..*\]$/);
  });

  it('Defaults apply to stored objects on read (lists, gets, watch events), not only on write [30]', async () => {
    await defineCustom(harness, 'lates', [{ spec: { type: 'object', properties: { a: { type: 'string' } } } }]);
    const { body: old } = await harness.post(customPath('lates'), custom('Late', 'l', { a: 'x' }));
    const { body: crd } = await harness.get(`${crds}/lates.example.com`);
    const withDefault = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string', default: 'late' } },
    };
    await harness.put(`${crds}/lates.example.com`, {
      ...crd,
      spec: { ...crd['spec'], versions: [crdVersion({ spec: withDefault })] },
    });
    await servedWith(customPath('lates'), (item) => item['spec'].b === 'late');
    const { body } = await harness.get(`${customPath('lates')}/l`);
    expect(body['spec']).toEqual({ a: 'x', b: 'late' });
    expect(body['metadata'].resourceVersion).toBe(old['metadata'].resourceVersion);
    const watch = await harness.watch(`${customPath('lates')}?watch=true`);
    expect((await watch.next()).object['spec'].b).toBe('late');
    watch.close();
  });

  it('Pruning happens below arrays and maps; preserve-unknown-fields stops it only at that node [31]', async () => {
    const known = { type: 'object', properties: { k: { type: 'string' } } };
    const spec = {
      type: 'object',
      properties: {
        list: { type: 'array', items: known },
        map: { type: 'object', additionalProperties: known },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { closed: known } },
      },
    };
    await defineCustom(harness, 'prunes', [{ spec }]);
    const given = {
      list: [{ k: 'a', x: 1 }],
      map: { m: { k: 'a', x: 1 } },
      open: { free: { x: 1 }, closed: { k: 'a', x: 1 } },
    };
    const { body } = await harness.post(customPath('prunes'), custom('Prune', 'p', given));
    expect(body['spec']).toEqual({
      list: [{ k: 'a' }],
      map: { m: { k: 'a' } },
      open: { free: { x: 1 }, closed: { k: 'a' } },
    });
  });

  it('Null with default → default; null with nullable → kept; null otherwise → dropped silently [32]', async () => {
    const spec = {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'd' },
        b: { type: 'string', nullable: true },
        c: { type: 'string' },
      },
    };
    await defineCustom(harness, 'nulls', [{ spec }]);
    const reply = await harness.post(customPath('nulls'), custom('Null', 'n', { a: null, b: null, c: null }));
    expect(reply.code).toBe(201);
    expect(reply.body['spec']).toEqual({ a: 'd', b: null });
    expect(reply.warnings).toEqual([]);
  });

  it('CRD Established must not be announced before the endpoint answers [42]', async () => {
    await defineCustom(harness, 'quicks', [{}]);
    expect((await harness.post(customPath('quicks'), custom('Quick', 'q'))).code).toBe(201);
  });

  it("Updating a CRD's printer columns/schema must take effect without restart, and existing watches close cleanly [43]", async () => {
    await defineCustom(harness, 'lives', [{}]);
    await harness.post(customPath('lives'), custom('Live', 'l', { size: 3 }));
    const watch = await harness.watch(`${customPath('lives')}?watch=true`);
    await watch.next();
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    await harness.merge(`${crds}/lives.example.com`, {
      spec: { versions: [crdVersion({ extra: { additionalPrinterColumns: columns } })] },
    });
    await watch.end();
    const { body } = await harness.get(customPath('lives'), {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    expect((body['columnDefinitions'] as readonly Json[]).map((column) => column['name'])).toEqual(['Name', 'Size']);
    expect(body['rows'][0].cells).toEqual(['l', 3]);
  });

  it("CRD deletion waits for instances' finalizers; recreating during termination → 409 object is being deleted [44]", async () => {
    await defineCustom(harness, 'helds', [{}]);
    const held = { ...custom('Held', 'h'), metadata: { name: 'h', finalizers: ['example.com/hold'] } };
    await harness.post(customPath('helds'), held);
    const { body: crd } = await harness.get(`${crds}/helds.example.com`);
    await harness.delete(`${crds}/helds.example.com`);
    const again = await harness.post(crds, { ...crd, metadata: { name: 'helds.example.com' } });
    expect(again.body['message']).toMatch(/^object is being deleted: /);
    const refused = await harness.post(customPath('helds'), custom('Held', 'h2'));
    expect(refused.code).toBe(403);
    expect(refused.body['message']).toBe(
      'helds.example.com "h2" is forbidden: create not allowed while custom resource definition is terminating',
    );
    const watch = await harness.watch(`${crds}?watch=true&fieldSelector=metadata.name=helds.example.com`);
    await harness.merge(`${customPath('helds')}/h`, { metadata: { finalizers: null } });
    for (let event = await watch.next(); event.type !== 'DELETED'; event = await watch.next());
    expect((await harness.get(customPath('helds'))).code).toBe(404);
    watch.close();
  });

  it('Status conditions with list-type map by type: duplicates in PUT → 422 [71]', async () => {
    const spec = {
      type: 'object',
      properties: {
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
        },
      },
    };
    await defineCustom(harness, 'doubles', [{ spec }]);
    const reply = await harness.post(
      customPath('doubles'),
      custom('Double', 'd', { conditions: [{ type: 'A' }, { type: 'A' }] }),
    );
    expect(reply.code).toBe(422);
    expect(reply.body['message']).toContain('spec.conditions[1]: Duplicate value: {"type":"A"}');
  });

  it('Enum on nullable fields needs null in the enum [72]', async () => {
    const spec = {
      type: 'object',
      properties: {
        without: { type: 'string', nullable: true, enum: ['a'] },
        with: { type: 'string', nullable: true, enum: ['a', null] },
      },
    };
    await defineCustom(harness, 'enums', [{ spec }]);
    expect((await harness.post(customPath('enums'), custom('Enum', 'a', { without: null }))).code).toBe(422);
    expect((await harness.post(customPath('enums'), custom('Enum', 'b', { with: null }))).code).toBe(201);
  });

  it('Ratcheting: an untouched invalid subtree must not block an update of another field [73]', async () => {
    await defineCustom(harness, 'ratchets', [{}]);
    await harness.post(customPath('ratchets'), custom('Ratchet', 'r', { bad: { a: 1, b: 'x' }, good: 1 }));
    const strict = {
      type: 'object',
      properties: {
        bad: { type: 'object', properties: { a: { type: 'integer', minimum: 10 }, b: { type: 'string' } } },
        good: { type: 'integer' },
      },
    };
    await harness.merge(`${crds}/ratchets.example.com`, { spec: { versions: [crdVersion({ spec: strict })] } });
    await servedWith(customPath('ratchets'), () => true);
    expect((await harness.merge(`${customPath('ratchets')}/r`, { spec: { good: 2 } })).code).toBe(200);
    expect((await harness.merge(`${customPath('ratchets')}/r`, { spec: { bad: { a: 2 } } })).code).toBe(422);
  });

  it('transition rules do not run on create, nor on items newly added to a map list [74]', async () => {
    const rule = [{ rule: 'self.v == oldSelf.v', message: 'immutable' }];
    const spec = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name', 'v'],
            properties: { name: { type: 'string', maxLength: 5 }, v: { type: 'integer' } },
            'x-kubernetes-validations': rule,
          },
        },
      },
    };
    await defineCustom(harness, 'moves', [{ spec }]);
    const path = `${customPath('moves')}/m`;
    const items = (...all: readonly [string, number][]): Json => ({
      spec: { items: all.map(([name, v]) => ({ name, v })) },
    });
    expect((await harness.post(customPath('moves'), { ...custom('Move', 'm'), ...items(['a', 1]) })).code).toBe(201);
    expect((await harness.merge(path, items(['a', 1], ['b', 2]))).code).toBe(200);
    const changed = await harness.merge(path, items(['a', 2], ['b', 2]));
    expect(changed.code).toBe(422);
    expect(changed.body['message']).toContain('spec.items[0]: Invalid value: immutable');
  });

  it('oldSelf is the post-defaulting old value, and rules see defaulted values and pruned objects [75, 76]', async () => {
    await defineCustom(harness, 'olds', [{ spec: { type: 'object', properties: { a: { type: 'integer' } } } }]);
    await harness.post(customPath('olds'), custom('Old', 'o', { a: 1 }));
    const spec = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer', default: 7 } },
      'x-kubernetes-validations': [{ rule: 'oldSelf.b == 7 && self.b >= 7' }],
    };
    await harness.merge(`${crds}/olds.example.com`, { spec: { versions: [crdVersion({ spec })] } });
    await servedWith(customPath('olds'), (item) => item['spec'].b === 7);
    expect((await harness.merge(`${customPath('olds')}/o`, { spec: { a: 2 } })).code).toBe(200);
    const refused = await harness.merge(`${customPath('olds')}/o`, { spec: { b: 6 } });
    expect(refused.body['message']).toContain('failed rule: oldSelf.b == 7 && self.b >= 7');
  });

  it('optionalOldSelf rules run on create with oldSelf = none [77]', async () => {
    const rule = 'oldSelf.hasValue() || self.a == 1';
    const spec = {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule, optionalOldSelf: true, message: 'starts at 1' }],
    };
    await defineCustom(harness, 'opts', [{ spec }]);
    expect((await harness.post(customPath('opts'), custom('Opt', 'bad', { a: 2 }))).code).toBe(422);
    expect((await harness.post(customPath('opts'), custom('Opt', 'good', { a: 1 }))).code).toBe(201);
    expect((await harness.merge(`${customPath('opts')}/good`, { spec: { a: 2 } })).code).toBe(200);
  });

  it('status.storedVersions can be changed only through /status of the CRD [79]', async () => {
    await defineCustom(harness, 'versions', [{ name: 'v1' }]);
    const path = `${crds}/versions.example.com`;
    await harness.merge(path, {
      spec: { versions: [crdVersion({ name: 'v1', storage: false }), crdVersion({ name: 'v2' })] },
    });
    await established(harness, 'versions.example.com');
    const ignored = await harness.merge(path, { status: { storedVersions: ['v2'] } });
    expect(ignored.body['status'].storedVersions).toEqual(['v1', 'v2']);
    const removed = await harness.merge(path, { spec: { versions: [crdVersion({ name: 'v2' })] } });
    expect(removed.code).toBe(422);
    const changed = await harness.merge(`${path}/status`, { status: { storedVersions: ['v2'] } });
    expect(changed.body['status'].storedVersions).toEqual(['v2']);
  });
});

/** Waits until reads use the changed CRD: its open watches end, and the next watch uses the new schema. */
async function servedWith(path: string, done: (item: Json) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { body } = await harness.get(path);
    if ((body['items'] as readonly Json[]).every(done)) return;
    const watch = await harness.watch(`${path}?watch=true&timeoutSeconds=1`);
    await watch.end();
  }
  throw new Error('the changed definition is not served');
}
