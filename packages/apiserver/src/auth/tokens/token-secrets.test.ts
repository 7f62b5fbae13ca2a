import { VirtualClock } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import { generatePrivateKey } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import { FakeStore } from '../memory-store-fake.js';
import {
  planTokenSecret,
  ServiceAccountKeys,
  SignatureCheck,
  TokenRefused,
  TokenSecrets,
  toSigningKey,
} from './index.js';

const keys = new ServiceAccountKeys(toSigningKey(await generatePrivateKey('ECDSA')));
const options = { keys, authorityPem: 'CA' };
const clock = new VirtualClock();
const account: KubeObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'ci', uid: 'u1' },
};
const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/service-account-token',
  metadata: { name: 'robot-token', namespace: 'ci', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
};

async function filled(): Promise<KubeObject> {
  const plan = await planTokenSecret(secret, account, options);
  if (plan.kind !== 'fill') throw new Error(plan.kind);
  return plan.object;
}

const decoded = (object: KubeObject, key: string): string =>
  Buffer.from((object['data'] as Record<string, string>)[key] ?? '', 'base64').toString();

describe('token secrets', () => {
  it('populates a Secret once with token, CA and namespace', async () => {
    const object = await filled();
    expect(decoded(object, 'ca.crt')).toBe('CA');
    expect(decoded(object, 'namespace')).toBe('ci');
    expect(decoded(object, 'token').split('.').length).toBe(3);
    expect(object.metadata.annotations?.['kubernetes.io/service-account.uid']).toBe('u1');
    expect(await planTokenSecret(object, account, options)).toEqual({ kind: 'none' });
    const rotated = await planTokenSecret(object, account, { keys, authorityPem: 'CA2' });
    expect(rotated.kind === 'fill' && decoded(rotated.object, 'token')).toBe(decoded(object, 'token'));
  });

  it('deletes Secrets with their account; keeps other Secrets', async () => {
    const object = await filled();
    expect(await planTokenSecret(secret, undefined, options)).toEqual({ kind: 'delete' });
    const recreated: KubeObject = { ...account, metadata: { ...account.metadata, uid: 'u2' } };
    expect(await planTokenSecret(object, recreated, options)).toEqual({ kind: 'delete' });
    expect(await planTokenSecret({ ...secret, type: 'Opaque' }, account, options)).toEqual({ kind: 'none' });
  });

  it('authenticates as long as the Secret contains the token and the account is the same', async () => {
    const store = new FakeStore();
    const object = await filled();
    const token = decoded(object, 'token');
    const tokens = new TokenSecrets({ store, clock, signatures: new SignatureCheck(keys, clock) });
    const outcome = async (): Promise<string> => {
      try {
        return (await tokens.authenticate(token))?.user.username ?? 'not ours';
      } catch (error) {
        if (error instanceof TokenRefused) return error.message;
        throw error;
      }
    };
    expect(await outcome()).toBe('Token has been invalidated');
    store.put('secrets', object);
    expect(await outcome()).toBe('serviceaccounts "robot" not found');
    store.put('serviceaccounts', account);
    expect(await outcome()).toBe('system:serviceaccount:ci:robot');
    store.put('serviceaccounts', { ...account, metadata: { ...account.metadata, uid: 'u2' } });
    expect(await outcome()).toBe('ServiceAccount UID (u2) does not match claim (u1)');
    store.put('secrets', { ...object, data: { token: 'eA==' } });
    expect(await outcome()).toBe("Token does not match server's copy");
    expect(await tokens.authenticate('a.b.c')).toBeUndefined();
  });
});
