import type { Frozen, KubeObject } from '@slipway/kube';
import { flattenedVerify } from 'jose';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { createClusterInfo, createClusterInfoAccess, signedClusterInfo, signingTokens } from './cluster-info.js';
import { detachedSignature } from './detached-signature.js';

const token = { id: 'abcdef', secret: '0123456789abcdef' };
const now = Date.UTC(2026, 5, 1);

function secret(name: string, values: Record<string, string>): Frozen<KubeObject> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', type: 'bootstrap.kubernetes.io/token', metadata: { name }, data };
}

const good = { 'token-id': token.id, 'token-secret': token.secret, 'usage-bootstrap-signing': 'true' };

describe('the detached signature of cluster-info', () => {
  it('is a JWS that another library verifies', async () => {
    const signature = detachedSignature('content', token);
    const [header = '', middle, value = ''] = signature.split('.');
    expect(middle).toBe('');
    const payload = Buffer.from('content').toString('base64url');
    const verified = await flattenedVerify({ protected: header, payload, signature: value }, Buffer.from(token.secret));
    expect(verified.protectedHeader).toEqual({ alg: 'HS256', kid: 'abcdef' });
    expect(detachedSignature('content!', token)).not.toBe(signature);
    expect(detachedSignature('content', { ...token, secret: 'x' })).not.toBe(signature);
  });

  it('equals the signature of upstream', () => {
    expect(detachedSignature('', { id: 'joshua', secret: 'my voice is my passcode' })).toMatch(
      /^eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9\.\.[A-Za-z0-9_-]{43}$/,
    );
  });
});

describe('cluster-info', () => {
  it.each<[string, Frozen<KubeObject>, number]>([
    ['signed with a token that is enabled for signing', secret('bootstrap-token-abcdef', good), 1],
    [
      'not signed with a token that is not enabled for signing',
      secret('bootstrap-token-abcdef', { ...good, 'usage-bootstrap-signing': '' }),
      0,
    ],
    [
      'not signed with an expired token',
      secret('bootstrap-token-abcdef', { ...good, expiration: '2020-01-01T00:00:00Z' }),
      0,
    ],
    ['not signed with a Secret of another name', secret('bootstrap-token-xxxxxx', good), 0],
    ['not signed with a token without a secret', secret('bootstrap-token-abcdef', { ...good, 'token-secret': '' }), 0],
  ])('is %s', (_name, object, count) => expect(signingTokens([object, object], now).length).toBe(count));

  it('has a signature per token and none of deleted tokens', () => {
    const info = createClusterInfo('https://10.0.0.1:6443', 'CA');
    const first = signedClusterInfo(info, [token]);
    expect(Object.keys(first ?? {})).toEqual(['kubeconfig', 'jws-kubeconfig-abcdef']);
    const signed = { ...info, data: first };
    expect(signedClusterInfo(signed, [token])).toBeUndefined();
    expect(Object.keys(signedClusterInfo(signed, []) ?? {})).toEqual(['kubeconfig']);
    const changed = { ...signed, data: { ...first, kubeconfig: 'other' } };
    expect(signedClusterInfo(changed, [token])?.['jws-kubeconfig-abcdef']).toBe(detachedSignature('other', token));
    expect(signedClusterInfo({ ...info, data: {} }, [token])).toBeUndefined();
  });

  it('contains the server URL and CA, without a user', () => {
    const { kubeconfig } = createClusterInfo('https://10.0.0.1:6443', 'CA')['data'] as { kubeconfig: string };
    expect(parse(kubeconfig)).toMatchObject({
      kind: 'Config',
      clusters: [{ name: '', cluster: { server: 'https://10.0.0.1:6443', 'certificate-authority-data': 'Q0E=' } }],
      users: null,
    });
    const { role, roleBinding } = createClusterInfoAccess();
    expect(roleBinding['roleRef']).toMatchObject({ name: role.metadata.name });
  });
});
