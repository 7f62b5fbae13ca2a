import { createHmac } from 'node:crypto';
import { generatePrivateKey, publicKeyToPem, seededRandom, VirtualClock } from '@slipway/base';
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeStore } from '../memory-store-fake.js';
import {
  BearerTokens,
  BootstrapTokenAuthenticator,
  bearerToken,
  createUuid,
  decideTokenCleaning,
  jsonWebKeySet,
  openIdConfiguration,
  parseBootstrapToken,
  type ServiceAccountClaims,
  ServiceAccountKeys,
  ServiceAccountTokens,
  StaticTokens,
  secretsEqual,
  signToken,
  splitServiceAccountUsername,
  TokenRefused,
  toSigningKey,
  toVerificationKey,
} from './index.js';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const start = Date.UTC(2026, 5, 1);
const seconds = start / 1000;
const stranger = await generatePrivateKey('ECDSA');
const rsa = toSigningKey(await generatePrivateKey('RSA'));
const elliptic = toSigningKey(await generatePrivateKey('ECDSA'));
const keys = new ServiceAccountKeys(rsa, [elliptic]);

let clock: VirtualClock;
let store: FakeStore;
let tokens: ServiceAccountTokens;

function setUp(): void {
  clock = new VirtualClock(start);
  store = new FakeStore();
  tokens = new ServiceAccountTokens({ store, clock, keys, issuer, audiences: [issuer], cacheSize: 8 });
  store.put('serviceaccounts', account('sa-uid'));
  store.put('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'dev', uid: 'pod-uid' } });
  store.put('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'dev', uid: 'secret-uid' },
  });
  store.put('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'node-uid' } });
}

function account(uid: string, extra: object = {}): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'dev', uid, ...extra } };
}

const claims: ServiceAccountClaims = {
  iss: issuer,
  sub: 'system:serviceaccount:dev:robot',
  aud: [issuer],
  exp: seconds + 3600,
  iat: seconds,
  nbf: seconds,
  jti: 'id-1',
  namespace: 'dev',
  serviceAccount: { name: 'robot', uid: 'sa-uid' },
};

async function outcome(token: string, audiences?: readonly string[]): Promise<string> {
  try {
    const identity = await tokens.authenticate(token, audiences);
    return identity === undefined ? 'not ours' : identity.user.username;
  } catch (error) {
    if (error instanceof TokenRefused) return error.message;
    throw error;
  }
}

beforeAll(setUp);

describe('service-account tokens', () => {
  it('name the account, its groups, and what they are bound to', async () => {
    setUp();
    const bound = { ...claims, pod: { name: 'p', uid: 'pod-uid' }, node: { name: 'n', uid: 'gone' } };
    const identity = await tokens.authenticate(await signToken(keys, bound));
    expect(identity).toEqual({
      audiences: [issuer],
      user: {
        username: 'system:serviceaccount:dev:robot',
        uid: 'sa-uid',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:dev'],
        extra: {
          'authentication.kubernetes.io/credential-id': ['JTI=id-1'],
          'authentication.kubernetes.io/node-name': ['n'],
          'authentication.kubernetes.io/node-uid': ['gone'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pod-uid'],
        },
      },
    });
  });

  it('of an older key are still accepted', async () => {
    setUp();
    expect(await outcome(await signToken(new ServiceAccountKeys(elliptic), claims))).toBe(claims.sub);
  });

  it.each<[string, Partial<ServiceAccountClaims>, string]>([
    ['expired', { exp: seconds - 61 }, 'service account token has expired'],
    ['expired within the leeway', { exp: seconds - 59 }, claims.sub],
    ['not valid yet', { nbf: seconds + 61 }, 'service account token is not valid yet'],
    ['issued in the future', { iat: seconds + 61 }, 'service account token is issued in the future'],
    [
      'for somebody else',
      { aud: ['vault'] },
      `token audiences ["vault"] is invalid for the target audiences ["${issuer}"]`,
    ],
    ['without audiences', { aud: [] }, claims.sub],
    ['of another issuer', { iss: 'https://elsewhere' }, 'not ours'],
    ['of an unknown account', { serviceAccount: { name: 'x', uid: 'u' } }, 'serviceaccounts "x" not found'],
    [
      'of another uid',
      { serviceAccount: { name: 'robot', uid: 'old' } },
      'service account UID (sa-uid) does not match claim (old)',
    ],
    ['bound to a secret', { secret: { name: 's', uid: 'secret-uid' } }, claims.sub],
    [
      'bound to another secret',
      { secret: { name: 's', uid: 'x' } },
      'secret UID (secret-uid) does not match service account secret ref claim (x)',
    ],
    ['bound to no secret', { secret: { name: 't', uid: 'x' } }, 'service account token has been invalidated'],
    [
      'bound to another pod',
      { pod: { name: 'p', uid: 'x' } },
      'pod UID (pod-uid) does not match service account pod ref claim (x)',
    ],
    ['bound to a node', { node: { name: 'n', uid: 'node-uid' } }, claims.sub],
    [
      'bound to another node',
      { node: { name: 'n', uid: 'x' } },
      'node UID (node-uid) does not match service account node ref claim (x)',
    ],
  ])('%s', async (_name, change, expected) => {
    setUp();
    expect(await outcome(await signToken(keys, { ...claims, ...change }))).toBe(expected);
  });

  it('60. Service-account tokens of deleted-and-recreated service accounts (same name, new uid) are invalid', async () => {
    setUp();
    const token = await signToken(keys, claims);
    expect(await outcome(token)).toBe(claims.sub);
    store.remove('serviceaccounts', 'dev', 'robot');
    expect(await outcome(token)).toBe('serviceaccounts "robot" not found');
    store.put('serviceaccounts', account('new-uid'));
    expect(await outcome(token)).toBe('service account UID (new-uid) does not match claim (sa-uid)');
  });

  it('die with the pod at once, though their signature was seen, and with time', async () => {
    setUp();
    const token = await signToken(keys, { ...claims, pod: { name: 'p', uid: 'pod-uid' } });
    expect(await outcome(token)).toBe(claims.sub);
    store.remove('pods', 'dev', 'p');
    expect(await outcome(token)).toBe('service account token has been invalidated');
    const plain = await signToken(keys, claims);
    expect(await outcome(plain)).toBe(claims.sub);
    await clock.advance(3_700_000);
    expect(await outcome(plain)).toBe('service account token has expired');
  });

  it('of an account on its way out last a minute more', async () => {
    setUp();
    const token = await signToken(keys, claims);
    store.put('serviceaccounts', account('sa-uid', { deletionTimestamp: '2026-06-01T00:00:00Z' }));
    expect(await outcome(token)).toBe(claims.sub);
    await clock.advance(61_000);
    expect(await outcome(token)).toBe('service account dev/robot has been deleted');
  });

  it('say for which of the asked audiences they are good', async () => {
    setUp();
    const token = await signToken(keys, { ...claims, aud: ['vault', 'registry'] });
    expect((await tokens.authenticate(token, ['other', 'vault']))?.audiences).toEqual(['vault']);
  });

  describe('that are hostile', () => {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = (change: object = {}): Record<string, unknown> => ({
      iss: issuer,
      sub: claims.sub,
      aud: [issuer],
      exp: seconds + 3600,
      'kubernetes.io': { namespace: 'dev', serviceaccount: claims.serviceAccount },
      ...change,
    });
    const bad = 'go-jose/go-jose: error in cryptographic primitive';

    it.each<[string, () => string | Promise<string>, string]>([
      ['alg none', () => `${encode({ alg: 'none', kid: rsa.id })}.${encode(payload())}.`, bad],
      ['alg none without kid', () => `${encode({ alg: 'none' })}.${encode(payload())}.`, bad],
      [
        'the public key as HMAC secret',
        () => {
          const head = `${encode({ alg: 'HS256', kid: rsa.id })}.${encode(payload())}`;
          return `${head}.${createHmac('sha256', publicKeyToPem(rsa.key)).update(head).digest('base64url')}`;
        },
        bad,
      ],
      [
        'an unknown kid',
        () => `${encode({ alg: 'RS256', kid: 'x' })}.${encode(payload())}.AAAA`,
        'invalid signature, no keys found',
      ],
      [
        'a kid named __proto__',
        () => `${encode({ alg: 'RS256', kid: '__proto__' })}.${encode(payload())}.AAAA`,
        'invalid signature, no keys found',
      ],
      [
        'the right kid and a foreign signature',
        () =>
          new CompactSign(Buffer.from(JSON.stringify(payload())))
            .setProtectedHeader({ alg: 'ES256', kid: elliptic.id })
            .sign(stranger),
        bad,
      ],
      [
        'a kid of the other algorithm',
        () =>
          new CompactSign(Buffer.from(JSON.stringify(payload())))
            .setProtectedHeader({ alg: 'ES256', kid: rsa.id })
            .sign(elliptic.privateKey),
        bad,
      ],
      [
        'a critical header',
        () => `${encode({ alg: 'RS256', kid: rsa.id, crit: ['x'], x: 1 })}.${encode(payload())}.AAAA`,
        bad,
      ],
      ['an embedded key', () => `${encode({ alg: 'RS256', jwk: {} })}.${encode(payload())}.AAAA`, bad],
      ['two parts', () => `${encode({ alg: 'RS256' })}.${encode(payload())}`, 'not ours'],
      ['four parts', () => `${encode({ alg: 'RS256' })}.${encode(payload())}.a.b`, 'not ours'],
      ['no JSON', () => 'a.b.c', 'not ours'],
      ['a list', () => `${encode({ alg: 'RS256' })}.${encode([issuer])}.c`, 'not ours'],
      ['an issuer that is no text', () => `${encode({ alg: 'RS256' })}.${encode({ iss: { x: 1 } })}.c`, 'not ours'],
      ['nothing', () => '', 'not ours'],
      [
        'our signature on foreign claims',
        () =>
          new CompactSign(Buffer.from(JSON.stringify({ iss: issuer })))
            .setProtectedHeader({ alg: 'RS256', kid: rsa.id })
            .sign(rsa.privateKey),
        bad,
      ],
    ])('%s', async (_name, make, expected) => {
      setUp();
      expect(await outcome(await make())).toBe(expected);
    });

    it('are refused unread when they are huge', async () => {
      const all = new BearerTokens([tokens]);
      const huge = `${encode({ alg: 'RS256' })}.${encode(payload({ fill: 'x'.repeat(100_000) }))}.AAAA`;
      await expect(all.authenticate(huge)).rejects.toThrow('invalid bearer token');
    });

    it('do not live on because an earlier one had the same beginning', async () => {
      setUp();
      const token = await signToken(keys, claims);
      expect(await outcome(token)).toBe(claims.sub);
      const [head, body, signature = ''] = token.split('.');
      const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
      expect(await outcome(`${head}.${body}.${flipped}`)).toBe(bad);
    });

    it('cannot fill the cache without end', async () => {
      setUp();
      for (let index = 0; index < 20; index += 1)
        expect(await outcome(await signToken(new ServiceAccountKeys(elliptic), { ...claims, jti: `t${index}` }))).toBe(
          claims.sub,
        );
      const old = await signToken(keys, claims);
      expect(await outcome(old)).toBe(claims.sub);
    });
  });
});

describe('issuer discovery', () => {
  it('publishes keys that verify our tokens, named as upstream names them', async () => {
    const set = jsonWebKeySet(keys);
    expect(set.keys.map((key) => [key['kid'], key['alg'], key['use']])).toEqual([
      [rsa.id, 'RS256', 'sig'],
      [elliptic.id, 'ES256', 'sig'],
    ]);
    expect(JSON.stringify(set)).not.toContain('"d"');
    const token = await signToken(keys, claims);
    const key = await importJWK(set.keys[0] as JWK);
    const verified = await compactVerify(token, key);
    expect(verified.protectedHeader).toEqual({ alg: 'RS256', kid: rsa.id });
    const body = JSON.parse(Buffer.from(verified.payload).toString()) as object;
    expect(Object.keys(body)).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
    expect(openIdConfiguration(issuer, 'https://h/openid/v1/jwks', keys)).toEqual({
      issuer,
      jwks_uri: 'https://h/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
    expect(toVerificationKey(rsa.key).id).toBe(rsa.id);
  });
});

describe('bootstrap tokens', () => {
  const data = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  const good = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    expiration: '2026-06-02T00:00:00Z',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
  };
  const secret = (values: Record<string, string>, extra: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    data: data(values),
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    ...extra,
  });

  it.each<[string, object, string, boolean]>([
    ['a good one', secret(good), 'abcdef.0123456789abcdef', true],
    ['a wrong secret', secret(good), 'abcdef.0123456789abcdee', false],
    ['an unknown id', secret(good), 'abcdeg.0123456789abcdef', false],
    ['upper case', secret(good), 'ABCDEF.0123456789abcdef', false],
    ['an expired one', secret({ ...good, expiration: '2026-05-31T23:59:59Z' }), 'abcdef.0123456789abcdef', false],
    ['an unreadable expiry', secret({ ...good, expiration: 'tomorrow' }), 'abcdef.0123456789abcdef', false],
    ['no expiry', secret({ ...good, expiration: '' }), 'abcdef.0123456789abcdef', true],
    [
      'one for signing only',
      secret({ ...good, 'usage-bootstrap-authentication': 'false' }),
      'abcdef.0123456789abcdef',
      false,
    ],
    [
      'an illegal extra group',
      secret({ ...good, 'auth-extra-groups': 'system:masters' }),
      'abcdef.0123456789abcdef',
      false,
    ],
    ['another id inside', secret({ ...good, 'token-id': 'abcdeg' }), 'abcdef.0123456789abcdef', false],
    ['another type', secret(good, { type: 'Opaque' }), 'abcdef.0123456789abcdef', false],
    [
      'one being deleted',
      secret(good, {
        metadata: {
          name: 'bootstrap-token-abcdef',
          namespace: 'kube-system',
          deletionTimestamp: '2026-06-01T00:00:00Z',
        },
      }),
      'abcdef.0123456789abcdef',
      false,
    ],
  ])('%s', (_name, object, token, accepted) => {
    setUp();
    store.put('secrets', object);
    const identity = new BootstrapTokenAuthenticator(store, clock).authenticate(token);
    expect(identity !== undefined).toBe(accepted);
  });

  it('authenticate as system:bootstrap:<id> with sorted groups', () => {
    setUp();
    store.put('secrets', secret(good));
    expect(new BootstrapTokenAuthenticator(store, clock).authenticate('abcdef.0123456789abcdef')?.user).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'],
    });
  });

  it('are cleaned when they expire, and looked at again when they will', () => {
    const stored = (values: Record<string, string>): Parameters<typeof decideTokenCleaning>[0] =>
      secret(values) as Parameters<typeof decideTokenCleaning>[0];
    expect(decideTokenCleaning(stored({ ...good, expiration: '2026-06-01T00:00:00Z' }), start)).toEqual({
      delete: true,
    });
    expect(decideTokenCleaning(stored(good), start)).toEqual({ delete: false, againInMs: 86_400_000 });
    expect(decideTokenCleaning(stored({ ...good, expiration: '' }), start)).toEqual({
      delete: false,
      againInMs: undefined,
    });
  });

  it('have a fixed form', () => {
    expect(parseBootstrapToken('abcdef.0123456789abcdef')).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
    for (const text of ['abcdef', 'abcdef.0123456789abcdef0', 'abcde.0123456789abcdef', 'abcdef.0123456789abcdef\n'])
      expect(parseBootstrapToken(text)).toBeUndefined();
  });
});

describe('static tokens and headers', () => {
  it('find their user', () => {
    const user = { username: 'admin', groups: ['system:masters'] };
    const fixed = new StaticTokens([
      { token: 'one', user: { username: 'other', groups: [] } },
      { token: 'two', user },
    ]);
    expect(fixed.authenticate('two')).toEqual({ user });
    expect(fixed.authenticate('three')).toBeUndefined();
    expect(secretsEqual('a', 'a')).toBe(true);
    expect(secretsEqual('a', 'aa')).toBe(false);
  });

  it.each<[string | string[] | undefined, string | undefined]>([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER  abc', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Basic abc', undefined],
    ['  Bearer abc  ', 'abc'],
    [['Bearer one', 'Bearer two'], 'one'],
    [undefined, undefined],
  ])('%j gives %s', (header, token) => expect(bearerToken(header)).toBe(token));

  it.each<[string, object | undefined]>([
    ['system:serviceaccount:ns:name', { namespace: 'ns', name: 'name' }],
    ['system:serviceaccount:ns:a.b', { namespace: 'ns', name: 'a.b' }],
    ['system:serviceaccount:ns:name:x', undefined],
    ['system:serviceaccount:n.s:name', undefined],
    ['system:serviceaccount::name', undefined],
    ['someone', undefined],
  ])('%s is split', (username, expected) => expect(splitServiceAccountUsername(username)).toEqual(expected));

  it('makes version 4 identifiers from the given chance', () => {
    expect(createUuid(seededRandom(7))).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(createUuid(seededRandom(7))).toBe(createUuid(seededRandom(7)));
  });
});
