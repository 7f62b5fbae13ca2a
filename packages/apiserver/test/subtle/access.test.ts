import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, Harness, type Json } from './harness.js';

let harness: Harness;
const rbac = '/apis/rbac.authorization.k8s.io/v1';

beforeAll(async () => {
  harness = await Harness.start();
});

afterAll(() => harness.stop());

async function allow(user: string, name: string, rules: readonly Json[]): Promise<void> {
  await harness.post(`${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  });
  await harness.post(`${rbac}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name: user }],
  });
}

function as(user: string): { headers: Record<string, string> } {
  return { headers: { 'impersonate-user': user } };
}

describe('subtle behaviours: access', () => {
  it('Service-account tokens of deleted-and-recreated service accounts (same name, new uid) are invalid [60]', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reborn' } };
    await harness.post(accounts, account);
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { body } = await harness.post(`${accounts}/reborn/token`, request);
    const token = body['status'].token as string;
    expect((await harness.get('/version', { token })).code).toBe(200);
    await harness.delete(`${accounts}/reborn`);
    await harness.post(accounts, account);
    expect((await harness.get('/version', { token })).code).toBe(401);
  });

  it('RBAC: resourceNames never authorises create; for list needs fieldSelector metadata.name [61]', async () => {
    await allow('bob', 'named', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'list', 'get'], resourceNames: ['mine'] },
    ]);
    expect((await harness.post(configMaps, configMap('mine'), as('bob'))).code).toBe(403);
    expect((await harness.get(configMaps, as('bob'))).code).toBe(403);
    expect((await harness.get(`${configMaps}?fieldSelector=metadata.name%3Dmine`, as('bob'))).code).toBe(200);
    expect((await harness.get(`${configMaps}/mine`, as('bob'))).code).toBe(404);
  });

  it('RBAC for apply-create: both patch and create are checked [62]', async () => {
    await allow('carol', 'patcher', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }]);
    const apply = () =>
      harness.call('PATCH', `${configMaps}/new?fieldManager=carol`, configMap('new'), {
        contentType: 'application/apply-patch+yaml',
        ...as('carol'),
      });
    const refused = await apply();
    expect(refused.code).toBe(403);
    await allow('carol', 'creator', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]);
    expect((await apply()).code).toBe(201);
  });

  it('Authorization runs before existence: an unauthorised caller asking for a non-existent path sees 403, never 404', async () => {
    expect((await harness.get('/apis/nowhere.example.com/v1/things', { token: 'alice' })).code).toBe(403);
    expect((await harness.get(`${configMaps}/absent`, { token: 'alice' })).code).toBe(403);
  });

  it('reviews accept a body without a kind and reject one of another kind', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const answer = await harness.post(path, { spec });
    expect([answer.code, answer.body['kind'], answer.body['status'].allowed]).toEqual([
      201,
      'SelfSubjectAccessReview',
      true,
    ]);
    expect((await harness.post(path, { kind: 'Pod', spec })).code).toBe(400);
  });
});
