import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, custom, customPath, defineCustom, Harness, type Json } from './harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await Harness.start();
});

afterAll(() => harness.stop());

const namespaces = '/api/v1/namespaces';

function ownedBy(owner: Json, block = false): Json {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner['metadata'] as { name: string; uid: string };
  return { ownerReferences: [{ apiVersion, kind, name, uid, ...(block ? { blockOwnerDeletion: true } : {}) }] };
}

async function gone(path: string, name: string): Promise<void> {
  const watch = await harness.watch(`${path}?watch=true&fieldSelector=metadata.name%3D${name}`);
  if ((await harness.get(`${path}/${name}`)).code !== 404) {
    for (let event = await watch.next(); event.type !== 'DELETED'; event = await watch.next());
  }
  watch.close();
}

describe('subtle behaviours: deletion', () => {
  it('Delete with propagationPolicy=Foreground on an object with no dependents still passes through the finalizer stage [25]', async () => {
    await harness.post(configMaps, configMap('alone'));
    const { code, body } = await harness.delete(`${configMaps}/alone`, { propagationPolicy: 'Foreground' });
    expect(code).toBe(200);
    expect(body['metadata'].deletionTimestamp).toBeDefined();
    expect(body['metadata'].finalizers).toEqual(['foregroundDeletion']);
    await gone(configMaps, 'alone');
  });

  it('Creating objects in a terminating namespace is 403 with a machine-readable cause NamespaceTerminating [29]', async () => {
    await harness.post(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' } });
    const inside = `${namespaces}/ending/configmaps`;
    await harness.post(inside, configMap('held', {}, { finalizers: ['example.com/hold'] }));
    expect((await harness.delete(`${namespaces}/ending`)).code).toBe(200);
    const refused = await harness.post(inside, configMap('late'));
    expect(refused.code).toBe(403);
    expect(refused.body['details'].causes).toEqual([
      {
        reason: 'NamespaceTerminating',
        message: 'namespace ending is being terminated',
        field: 'metadata.namespace',
      },
    ]);
    expect(refused.body['message']).toContain(
      'unable to create new content in namespace ending because it is being terminated',
    );
    await harness.merge(`${inside}/held`, { metadata: { finalizers: null } });
    await gone(namespaces, 'ending');
  });

  it('Owner reference to a cluster-scoped owner from namespaced dependents is valid [63]', async () => {
    const { body: owner } = await harness.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'owner' },
    });
    await harness.post(configMaps, configMap('dependent', {}, ownedBy(owner)));
    await harness.delete('/apis/rbac.authorization.k8s.io/v1/clusterroles/owner');
    await gone(configMaps, 'dependent');
    expect((await harness.get(`${configMaps}/dependent`)).code).toBe(404);
  });

  it('GC must wait for CRD-defined kinds to be discoverable before treating an owner as absent [64]', async () => {
    const reference = { apiVersion: 'example.com/v1', kind: 'Later', name: 'l', uid: 'not-yet-known' };
    await harness.post(configMaps, configMap('patient', {}, { ownerReferences: [reference] }));
    await harness.post(configMaps, configMap('marker'));
    expect((await harness.get(`${configMaps}/patient`)).code).toBe(200);
    await defineCustom(harness, 'laters', [{}]);
    await harness.post(customPath('laters'), custom('Later', 'other'));
    await gone(configMaps, 'patient');
  });

  it('Background delete: the owner disappears immediately and dependents later; foreground: reversed [65]', async () => {
    const { body: owner } = await harness.post(configMaps, configMap('first'));
    await harness.post(configMaps, configMap('second', {}, ownedBy(owner)));
    await harness.delete(`${configMaps}/first`, { propagationPolicy: 'Background' });
    expect((await harness.get(`${configMaps}/first`)).code).toBe(404);
    await gone(configMaps, 'second');

    const { body: blocked } = await harness.post(configMaps, configMap('third'));
    const held = { ...ownedBy(blocked, true), finalizers: ['example.com/hold'] };
    await harness.post(configMaps, configMap('fourth', {}, held));
    await harness.delete(`${configMaps}/third`, { propagationPolicy: 'Foreground' });
    expect((await harness.get(`${configMaps}/third`)).body['metadata'].finalizers).toEqual(['foregroundDeletion']);
    await harness.merge(`${configMaps}/fourth`, { metadata: { finalizers: null } });
    await gone(configMaps, 'third');
    expect((await harness.get(`${configMaps}/fourth`)).code).toBe(404);
  });
});
