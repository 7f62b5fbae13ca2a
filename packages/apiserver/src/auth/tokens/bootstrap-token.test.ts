import { VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { FakeStore } from '../memory-store-fake.js';
import {
  BootstrapTokenAuthenticator,
  bearerToken,
  decideTokenCleaning,
  parseBootstrapToken,
  StaticTokens,
  secretsEqual,
  splitServiceAccountUsername,
} from './index.js';

const start = Date.UTC(2026, 5, 1);
const clock = new VirtualClock(start);

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
    ['accepts a valid token', secret(good), 'abcdef.0123456789abcdef', true],
    ['rejects a wrong secret', secret(good), 'abcdef.0123456789abcdee', false],
    ['rejects an unknown id', secret(good), 'abcdeg.0123456789abcdef', false],
    ['rejects upper case', secret(good), 'ABCDEF.0123456789abcdef', false],
    [
      'rejects an expired token',
      secret({ ...good, expiration: '2026-05-31T23:59:59Z' }),
      'abcdef.0123456789abcdef',
      false,
    ],
    ['rejects an invalid expiration', secret({ ...good, expiration: 'tomorrow' }), 'abcdef.0123456789abcdef', false],
    ['accepts a token without expiration', secret({ ...good, expiration: '' }), 'abcdef.0123456789abcdef', true],
    [
      'rejects a token for signing only',
      secret({ ...good, 'usage-bootstrap-authentication': 'false' }),
      'abcdef.0123456789abcdef',
      false,
    ],
    [
      'rejects an invalid extra group',
      secret({ ...good, 'auth-extra-groups': 'system:masters' }),
      'abcdef.0123456789abcdef',
      false,
    ],
    ['rejects another id in the data', secret({ ...good, 'token-id': 'abcdeg' }), 'abcdef.0123456789abcdef', false],
    ['rejects a Secret of another type', secret(good, { type: 'Opaque' }), 'abcdef.0123456789abcdef', false],
    [
      'rejects a Secret being deleted',
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
    const store = new FakeStore();
    store.put('secrets', object);
    const identity = new BootstrapTokenAuthenticator(store, clock).authenticate(token);
    expect(identity !== undefined).toBe(accepted);
  });

  it('authenticates as system:bootstrap:<id> with sorted groups', () => {
    const store = new FakeStore();
    store.put('secrets', secret(good));
    expect(new BootstrapTokenAuthenticator(store, clock).authenticate('abcdef.0123456789abcdef')?.user).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'],
    });
  });

  it('deletes expired tokens, and checks others again at their expiration', () => {
    const stored = (values: Record<string, string>): Frozen<KubeObject> => secret(values) as KubeObject;
    expect(decideTokenCleaning(stored({ ...good, expiration: '2026-06-01T00:00:00Z' }), start)).toEqual({
      delete: true,
    });
    expect(decideTokenCleaning(stored(good), start)).toEqual({ delete: false, againInMs: 86_400_000 });
    expect(decideTokenCleaning(stored({ ...good, expiration: '' }), start)).toEqual({
      delete: false,
      againInMs: undefined,
    });
  });

  it('accepts only tokens of a fixed format', () => {
    expect(parseBootstrapToken('abcdef.0123456789abcdef')).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
    for (const text of ['abcdef', 'abcdef.0123456789abcdef0', 'abcde.0123456789abcdef', 'abcdef.0123456789abcdef\n'])
      expect(parseBootstrapToken(text)).toBeUndefined();
  });
});

describe('static tokens and headers', () => {
  it('finds the user of a static token', () => {
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
  ])('parses the header %j as %s', (header, token) => expect(bearerToken(header)).toBe(token));

  it.each<[string, object | undefined]>([
    ['system:serviceaccount:ns:name', { namespace: 'ns', name: 'name' }],
    ['system:serviceaccount:ns:a.b', { namespace: 'ns', name: 'a.b' }],
    ['system:serviceaccount:ns:name:x', undefined],
    ['system:serviceaccount:n.s:name', undefined],
    ['system:serviceaccount::name', undefined],
    ['someone', undefined],
  ])('splits the user name %s', (username, expected) =>
    expect(splitServiceAccountUsername(username)).toEqual(expected),
  );
});
