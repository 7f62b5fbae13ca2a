import { seededRandom, VirtualClock } from '@slipway/base';
import { type MutableJsonObject, StatusError } from '@slipway/kube';
import { generatePrivateKey } from '@slipway/pki';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { SubresourceCreate, UserInfo } from '../../contract/index.js';
import { FakeStore } from '../memory-store-fake.js';
import { RbacAuthorizer, RbacIndex, rbacStorage } from '../rbac/index.js';
import {
  BearerTokens,
  ServiceAccountKeys,
  ServiceAccountTokens,
  SignatureCheck,
  StaticTokens,
  toSigningKey,
} from '../tokens/index.js';
import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectReview,
  createSelfSubjectRulesReview,
  createSubjectAccessReview,
  createTokenRequest,
  createTokenReview,
} from './index.js';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const start = Date.UTC(2026, 5, 1, 0, 0, 0, 700);
const clock = new VirtualClock(start);
const store = new FakeStore();
const keys = new ServiceAccountKeys(toSigningKey(await generatePrivateKey('ECDSA')));
const signatures = new SignatureCheck(keys, clock);
const tokens = new ServiceAccountTokens({ store, clock, signatures, issuer, audiences: [issuer] });
const bearer = new BearerTokens([
  new StaticTokens([{ token: 'fixed', user: { username: 'admin', groups: ['system:masters'] } }]),
  tokens,
]);
const user: UserInfo = { username: 'jane', groups: ['dev', 'system:authenticated'], extra: { a: ['b'] } };

store.put('serviceaccounts', {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'ci', uid: 'u1' },
});
store.put('pods', {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ci', uid: 'p1' },
  spec: { serviceAccountName: 'robot', nodeName: 'n' },
});
store.put('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q', namespace: 'ci', uid: 'q1' }, spec: {} });
store.put('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n1' } });
const rbac = 'rbac.authorization.k8s.io';
store.put(rbacStorage.clusterRoles, {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: 'reader' },
  rules: [
    { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
    { verbs: ['get'], nonResourceURLs: ['/metrics'] },
  ],
});
store.put(rbacStorage.clusterRoleBindings, {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'b' },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'reader' },
  subjects: [{ apiGroup: rbac, kind: 'Group', name: 'dev' }],
});
const index = RbacIndex.follow(store);
const authorizer = new RbacAuthorizer(index);

async function post(
  create: SubresourceCreate,
  body: object,
  namespace = '',
  name = '',
): Promise<MutableJsonObject | string> {
  try {
    const request = { namespace, name, user, dryRun: false, signal: new AbortController().signal };
    const answer = await create({ ...request, body: structuredClone(body) as MutableJsonObject });
    expect(answer.code).toBe(201);
    return answer.object;
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const status = (answer: MutableJsonObject | string): unknown =>
  typeof answer === 'string' ? answer : answer['status'];

describe('TokenRequest', () => {
  const create = createTokenRequest({ store, clock, random: seededRandom(1), keys, issuer, audiences: [issuer] });
  const request = (spec: object, metadata: object = {}): Promise<MutableJsonObject | string> =>
    post(create, { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec }, 'ci', 'robot');

  it('issues a token that the server accepts and returns its expiration', async () => {
    const answer = await request({});
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'robot', namespace: 'ci', creationTimestamp: '2026-06-01T00:00:00Z' },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: '2026-06-01T01:00:00Z' },
    });
    const { token } = status(answer) as { token: string };
    const claims = decodeJwt(token);
    const seconds = Math.floor(start / 1000);
    expect(claims).toEqual({
      aud: [issuer],
      exp: seconds + 3600,
      iat: seconds,
      nbf: seconds,
      iss: issuer,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      sub: 'system:serviceaccount:ci:robot',
      'kubernetes.io': { namespace: 'ci', serviceaccount: { name: 'robot', uid: 'u1' } },
    });
    expect((await tokens.authenticate(token))?.user.username).toBe('system:serviceaccount:ci:robot');
  });

  it('binds to a pod and its node, and extends the duration that kubelets request', async () => {
    const answer = await request({
      expirationSeconds: 3607,
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' },
    });
    const claims = decodeJwt((status(answer) as { token: string }).token);
    const seconds = Math.floor(start / 1000);
    expect(claims.exp).toBe(seconds + 365 * 86_400);
    expect(claims['kubernetes.io']).toEqual({
      namespace: 'ci',
      node: { name: 'n', uid: 'n1' },
      pod: { name: 'p', uid: 'p1' },
      serviceaccount: { name: 'robot', uid: 'u1' },
      warnafter: seconds + 3607,
    });
    expect((status(answer) as { expirationTimestamp: string }).expirationTimestamp).toBe('2026-06-01T01:00:07Z');
  });

  it.each<[string, object, object, string]>([
    [
      'rejects an expiration that is too short',
      { expirationSeconds: 599 },
      {},
      '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'rejects an expiration that is too long',
      { expirationSeconds: 4294967297 },
      {},
      '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'rejects another name',
      {},
      { name: 'x' },
      '422 TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [
      'rejects another namespace',
      {},
      { namespace: 'x' },
      '422 TokenRequest.authentication.k8s.io "robot" is invalid: metadata.namespace: Invalid value: "x": must match the service account namespace if specified',
    ],
    [
      'rejects another uid',
      {},
      { uid: 'x' },
      '409 Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (x) does not match the UID of the service account (u1)',
    ],
    [
      'rejects a pod that does not exist',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'z' } },
      {},
      '404 pods "z" not found',
    ],
    [
      'rejects a pod of another account',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'q' } },
      {},
      '400 cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    [
      'rejects another pod uid',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'x' } },
      {},
      '409 Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'rejects a kind that cannot be bound',
      { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' } },
      {},
      '400 cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ])('%s', async (_name, spec, metadata, expected) => expect(await request(spec, metadata)).toBe(expected));

  it('returns 404 for an account that does not exist', async () => {
    expect(await post(create, { spec: {} }, 'ci', 'nobody')).toBe('404 serviceaccounts "nobody" not found');
  });
});

describe('TokenReview', () => {
  const create = createTokenReview(bearer, [issuer]);
  const review = async (spec: object): Promise<unknown> => status(await post(create, { kind: 'TokenReview', spec }));

  it.each<[string, object, unknown]>([
    ['requires a token', {}, '400 token is required for TokenReview in authentication'],
    ['rejects an invalid token', { token: 'x' }, { user: {}, error: 'invalid bearer token' }],
    [
      'authenticates a valid token',
      { token: 'fixed' },
      {
        authenticated: true,
        user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        audiences: [issuer],
      },
    ],
    [
      'rejects other audiences for a token without audiences',
      { token: 'fixed', audiences: ['vault'] },
      { user: {}, error: 'invalid bearer token' },
    ],
  ])('%s', async (_name, spec, expected) => expect(await review(spec)).toEqual(expected));

  it('reports why a service account token is invalid without quoting it', async () => {
    const request = createTokenRequest({ store, clock, random: seededRandom(2), keys, issuer, audiences: [issuer] });
    const answer = await post(request, { spec: { audiences: ['vault'] } }, 'ci', 'robot');
    const { token } = status(answer) as { token: string };
    expect(await review({ token })).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${issuer}"]]`,
    });
    expect(await review({ token, audiences: ['vault', 'x'] })).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
    });
  });
});

describe('SelfSubjectReview', () => {
  it('returns the calling user', async () => {
    expect(await post(createSelfSubjectReview(clock), {})).toEqual({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: '2026-06-01T00:00:00Z' },
      status: { userInfo: { username: 'jane', groups: ['dev', 'system:authenticated'], extra: { a: ['b'] } } },
    });
  });
});

describe('access reviews', () => {
  const resourceAttributes = { verb: 'get', resource: 'pods', name: 'p', namespace: 'ci' };
  const nonResourceAttributes = { verb: 'get', path: '/metrics' };
  const reason = 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to Group "dev"';
  const invalid = '422 .authorization.k8s.io "" is invalid: ';
  const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

  it.each<[string, SubresourceCreate, object, string, unknown]>([
    [
      'allows a resource',
      createSubjectAccessReview(authorizer),
      { spec: { resourceAttributes, groups: ['dev'] } },
      '',
      { allowed: true, reason },
    ],
    [
      'denies a resource',
      createSubjectAccessReview(authorizer),
      { spec: { resourceAttributes, user: 'x' } },
      '',
      { allowed: false },
    ],
    [
      'allows a path',
      createSubjectAccessReview(authorizer),
      { spec: { nonResourceAttributes, groups: ['dev'] } },
      '',
      { allowed: true, reason },
    ],
    [
      'rejects a review without attributes',
      createSubjectAccessReview(authorizer),
      { spec: { user: 'x' } },
      '',
      `${invalid}spec.resourceAttributes: Invalid value: null: ${one}`,
    ],
    [
      'rejects a review with both kinds of attributes',
      createSubjectAccessReview(authorizer),
      { spec: { user: 'x', resourceAttributes, nonResourceAttributes } },
      '',
      `${invalid}spec.nonResourceAttributes: Invalid value: {"Path":"/metrics","Verb":"get"}: cannot be specified in combination with resourceAttributes`,
    ],
    [
      'requires a user or a group',
      createSubjectAccessReview(authorizer),
      { spec: { resourceAttributes } },
      '',
      `${invalid}spec.user: Invalid value: "": at least one of user or group must be specified`,
    ],
    [
      'rejects metadata',
      createSubjectAccessReview(authorizer),
      { metadata: { name: 'x' }, spec: { resourceAttributes, user: 'x' } },
      '',
      `${invalid}metadata: Invalid value: {"name":"x"}: must be empty`,
    ],
    [
      'rejects an empty field selector',
      createSubjectAccessReview(authorizer),
      { spec: { user: 'x', resourceAttributes: { ...resourceAttributes, fieldSelector: {} } } },
      '',
      `${invalid}spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required`,
    ],
    [
      'reviews the calling user',
      createSelfSubjectAccessReview(authorizer),
      { spec: { resourceAttributes } },
      '',
      { allowed: true, reason },
    ],
    [
      'rejects a self review without attributes',
      createSelfSubjectAccessReview(authorizer),
      { spec: {} },
      '',
      `${invalid}spec.resourceAttributes: Invalid value: null: ${one}`,
    ],
    [
      'reviews access in one namespace',
      createLocalSubjectAccessReview(authorizer),
      { metadata: { namespace: 'ci' }, spec: { resourceAttributes, groups: ['dev'] } },
      'ci',
      { allowed: true, reason },
    ],
    [
      'rejects a local review of another namespace',
      createLocalSubjectAccessReview(authorizer),
      { spec: { resourceAttributes, user: 'x' } },
      'other',
      `${invalid}spec.resourceAttributes.namespace: Invalid value: "ci": must match metadata.namespace`,
    ],
    [
      'rejects a local review of a path',
      createLocalSubjectAccessReview(authorizer),
      { spec: { nonResourceAttributes, user: 'x' } },
      'ci',
      `${invalid}spec.nonResourceAttributes: Invalid value: {"Path":"/metrics","Verb":"get"}: disallowed on this kind of request`,
    ],
  ])('%s', async (_name, create, body, namespace, expected) => {
    expect(status(await post(create, body, namespace))).toEqual(expected);
  });

  it('lists the rules of the calling user', async () => {
    const create = createSelfSubjectRulesReview(index);
    expect(status(await post(create, { spec: { namespace: 'ci' } }))).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      incomplete: false,
    });
    expect(await post(create, { spec: {} })).toBe('400 no namespace on request');
  });
});
