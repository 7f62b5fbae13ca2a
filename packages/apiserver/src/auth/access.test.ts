import { silentLogger, systemRandom, VirtualClock } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import { CertificateVerifier, generatePrivateKey } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from '../kinds/index.js';
import { openMemoryStore } from '../storage/index.js';
import type { Store } from '../contract/index.js';
import { type Access, createAccess } from './access.js';
import { bootstrapPolicy, guardRbacDefinitions, type RbacResource, rbacGroup, reconcilePolicy } from './rbac/index.js';
import { ServiceAccountKeys, toSigningKey } from './tokens/index.js';

const keys = new ServiceAccountKeys(toSigningKey(await generatePrivateKey('ECDSA')));
const signal = new AbortController().signal;

/** Opens a store with the bootstrap policy, written directly to it. */
async function open(): Promise<{ store: Store; access: Access }> {
  const clock = new VirtualClock();
  const store = await openMemoryStore({ clock });
  const user = { username: 'root', groups: ['system:masters'] };
  const clients = new CertificateVerifier([]);
  const access = createAccess({
    store,
    clock,
    random: systemRandom,
    clients,
    keys,
    staticTokens: [{ token: 'root', user }],
    logger: silentLogger,
  });
  const place = (
    resource: RbacResource,
    namespace = '',
    name = '',
  ): { resource: string; namespace: string; name: string } => ({
    resource: `${rbacGroup}/${resource}`,
    namespace,
    name,
  });
  const write = async (resource: RbacResource, object: KubeObject): Promise<void> => {
    const key = place(resource, object.metadata.namespace, object.metadata.name);
    await store.commit({ key, expected: store.get(key)?.revision ?? 0, object });
  };
  await reconcilePolicy(bootstrapPolicy(), {
    get: (resource, namespace, name) => store.get(place(resource, namespace, name))?.object,
    create: write,
    update: write,
    delete: async (resource, namespace, name) => {
      const key = place(resource, namespace, name);
      await store.commit({ key, expected: store.get(key)?.revision ?? 0, object: undefined });
    },
  });
  return { store, access };
}

describe('access', () => {
  it('authorizes users, tokens and impersonated users by stored RBAC objects', async () => {
    const { store, access } = await open();
    const account: KubeObject = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'token-cleaner', namespace: 'kube-system', uid: 'u1' },
    };
    const key = { resource: 'serviceaccounts', namespace: 'kube-system', name: 'token-cleaner' };
    await store.commit({ key, expected: 0, object: account });
    const root = await access.resolveUser({ headers: { authorization: 'Bearer root' } });
    const request = { namespace: 'kube-system', name: 'token-cleaner', user: root, dryRun: false, signal };
    const minted = await access.tokenRequest({ ...request, body: { spec: {} } });
    const { token } = minted.object['status'] as { token: string };
    const robot = await access.resolveUser({ headers: { authorization: `Bearer ${token}` } });
    expect(robot.username).toBe('system:serviceaccount:kube-system:token-cleaner');
    const resource = {
      group: '',
      version: 'v1',
      resource: 'secrets',
      subresource: '',
      namespace: 'kube-system',
      name: 's',
    };
    expect(access.authorizer.authorize({ user: robot, verb: 'delete', resource }).allowed).toBe(true);
    expect(access.authorizer.authorize({ user: robot, verb: 'create', resource }).allowed).toBe(false);
    const headers = { authorization: 'Bearer root', 'impersonate-user': 'jane' };
    expect(await access.resolveUser({ headers })).toEqual({ username: 'jane', groups: ['system:authenticated'] });
    const review = await access.reviews.selfSubjectReview({ ...request, user: robot, body: {} });
    expect(review.object['status']).toMatchObject({ userInfo: { username: robot.username } });
    access.dispose();
    await store.close();
  });

  it('authenticates requests without credentials as anonymous, and publishes its keys', async () => {
    const { store, access } = await open();
    expect((await access.resolveUser({ headers: {} })).username).toBe('system:anonymous');
    await expect(access.resolveUser({ headers: { authorization: 'Bearer no' } })).rejects.toThrow('Unauthorized');
    const document = access.documents.get('/openid/v1/jwks')?.();
    expect(document?.contentType).toBe('application/jwk-set+json');
    expect(JSON.parse(document?.body ?? '{}')).toMatchObject({ keys: [{ kid: keys.signing.id }] });
    access.dispose();
    await store.close();
  });

  it('runs the escalation checks before the strategies of the RBAC kinds', async () => {
    const { store, access } = await open();
    const built = builtinDefinitions({ reviews: access.reviews, certificates: access.signingRequests });
    const definitions = guardRbacDefinitions(built, access.escalationHooks);
    const roles = definitions.find((definition) => definition.plural === 'clusterroles');
    const desired: KubeObject = {
      apiVersion: `${rbacGroup}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    };
    const user = { username: 'jane', groups: [] };
    const context = { user, now: 0, dryRun: false, subresource: '', requestName: '', warn: () => undefined };
    await expect(roles?.strategy.prepareForCreate?.(desired, context)).rejects.toThrow(
      'is attempting to grant RBAC permissions',
    );
    expect(
      definitions
        .filter((definition, index) => definition !== built[index])
        .map(({ plural }) => plural)
        .sort(),
    ).toEqual(['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles']);
    access.dispose();
    await store.close();
  });
});
