import { createHmac } from 'node:crypto';
import { VirtualClock } from '@slipway/base';
import { generatePrivateKey, publicKeyToPem } from '@slipway/pki';
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeStore } from '../memory-store-fake.js';
import {
  BearerTokens,
  jsonWebKeySet,
  openIdConfiguration,
  type ServiceAccountClaims,
  ServiceAccountKeys,
  ServiceAccountTokens,
  SignatureCheck,
  signToken,
  TokenRefused,
  toSigningKey,
  toVerificationKey,
} from './index.js';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const start = Date.UTC(2026, 5, 1);
const seconds = start / 1000;
const foreignKey = await generatePrivateKey('ECDSA');
const rsa = toSigningKey(await generatePrivateKey('RSA'));
const elliptic = toSigningKey(await generatePrivateKey('ECDSA'));
const keys = new ServiceAccountKeys(rsa, [elliptic]);

let clock: VirtualClock;
let store: FakeStore;
let tokens: ServiceAccountTokens;

function setUp(): void {
  clock = new VirtualClock(start);
  store = new FakeStore();
  const signatures = new SignatureCheck(keys, clock, 8);
  tokens = new ServiceAccountTokens({ store, clock, signatures, issuer, audiences: [issuer] });
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
  it('contains the account, its groups and the bound object', async () => {
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

  it('accepts tokens of an older key', async () => {
    setUp();
    expect(await outcome(await signToken(new ServiceAccountKeys(elliptic), claims))).toBe(claims.sub);
  });

  it.each<[string, Partial<ServiceAccountClaims>, string]>([
    ['rejects an expired token', { exp: seconds - 61 }, 'service account token has expired'],
    ['accepts a token that expired within the leeway', { exp: seconds - 59 }, claims.sub],
    ['rejects a token that is not valid yet', { nbf: seconds + 61 }, 'service account token is not valid yet'],
    ['rejects a token issued in the future', { iat: seconds + 61 }, 'service account token is issued in the future'],
    [
      'rejects a token for another audience',
      { aud: ['vault'] },
      `token audiences ["vault"] is invalid for the target audiences ["${issuer}"]`,
    ],
    ['accepts a token without audiences', { aud: [] }, claims.sub],
    ['ignores a token of another issuer', { iss: 'https://elsewhere' }, 'not ours'],
    [
      'rejects a token of an unknown account',
      { serviceAccount: { name: 'x', uid: 'u' } },
      'serviceaccounts "x" not found',
    ],
    [
      'rejects a token of another uid',
      { serviceAccount: { name: 'robot', uid: 'old' } },
      'service account UID (sa-uid) does not match claim (old)',
    ],
    ['accepts a token bound to a Secret', { secret: { name: 's', uid: 'secret-uid' } }, claims.sub],
    [
      'rejects a token bound to another Secret',
      { secret: { name: 's', uid: 'x' } },
      'secret UID (secret-uid) does not match service account secret ref claim (x)',
    ],
    [
      'rejects a token bound to a Secret that does not exist',
      { secret: { name: 't', uid: 'x' } },
      'service account token has been invalidated',
    ],
    [
      'rejects a token bound to another pod',
      { pod: { name: 'p', uid: 'x' } },
      'pod UID (pod-uid) does not match service account pod ref claim (x)',
    ],
    ['accepts a token bound to a node', { node: { name: 'n', uid: 'node-uid' } }, claims.sub],
    [
      'rejects a token bound to another node',
      { node: { name: 'n', uid: 'x' } },
      'node UID (node-uid) does not match service account node ref claim (x)',
    ],
  ])('%s', async (_name, change, expected) => {
    setUp();
    expect(await outcome(await signToken(keys, { ...claims, ...change }))).toBe(expected);
  });

  it('rejects tokens of a deleted and re-created service account (same name, new uid) [60]', async () => {
    setUp();
    const token = await signToken(keys, claims);
    expect(await outcome(token)).toBe(claims.sub);
    store.remove('serviceaccounts', 'dev', 'robot');
    expect(await outcome(token)).toBe('serviceaccounts "robot" not found');
    store.put('serviceaccounts', account('new-uid'));
    expect(await outcome(token)).toBe('service account UID (new-uid) does not match claim (sa-uid)');
  });

  it('rejects tokens after the deletion of the pod despite a cached signature, and on expiry', async () => {
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

  it('accepts tokens of an account being deleted for a minute', async () => {
    setUp();
    const token = await signToken(keys, claims);
    store.put('serviceaccounts', account('sa-uid', { deletionTimestamp: '2026-06-01T00:00:00Z' }));
    expect(await outcome(token)).toBe(claims.sub);
    await clock.advance(61_000);
    expect(await outcome(token)).toBe('service account dev/robot has been deleted');
  });

  it('returns the requested audiences for which a token is valid', async () => {
    setUp();
    const token = await signToken(keys, { ...claims, aud: ['vault', 'registry'] });
    expect((await tokens.authenticate(token, ['other', 'vault']))?.audiences).toEqual(['vault']);
  });

  describe('malformed service-account tokens', () => {
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
            .sign(foreignKey),
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
      ['invalid JSON', () => 'a.b.c', 'not ours'],
      ['a list', () => `${encode({ alg: 'RS256' })}.${encode([issuer])}.c`, 'not ours'],
      [
        'an issuer that is not a string',
        () => `${encode({ alg: 'RS256' })}.${encode({ iss: { x: 1 } })}.c`,
        'not ours',
      ],
      ['an empty string', () => '', 'not ours'],
      [
        'a valid signature over claims of another type',
        () =>
          new CompactSign(Buffer.from(JSON.stringify({ iss: issuer })))
            .setProtectedHeader({ alg: 'RS256', kid: rsa.id })
            .sign(rsa.privateKey),
        'service account token claims could not be validated',
      ],
    ])('rejects %s', async (_name, make, expected) => {
      setUp();
      expect(await outcome(await make())).toBe(expected);
    });

    it('rejects tokens that are too long without parsing them', async () => {
      const all = new BearerTokens([tokens]);
      const huge = `${encode({ alg: 'RS256' })}.${encode(payload({ fill: 'x'.repeat(100_000) }))}.AAAA`;
      await expect(all.authenticate(huge)).rejects.toThrow('invalid bearer token');
    });

    it('rejects a token with the same prefix as an accepted one', async () => {
      setUp();
      const token = await signToken(keys, claims);
      expect(await outcome(token)).toBe(claims.sub);
      const [head, body, signature = ''] = token.split('.');
      const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
      expect(await outcome(`${head}.${body}.${flipped}`)).toBe(bad);
    });

    it('limits the size of the cache', async () => {
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
  it('publishes the keys that verify the tokens, with the key ids of upstream', async () => {
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
