import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceAccountKeys, toSigningKey } from '../../auth/index.js';
import { fields, text } from '../../kinds/shared/fields.js';
import { generateKeyPairSync } from 'node:crypto';
import { startNamespaceController } from '../namespaces/namespace-controller.js';
import { coreResources } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startDefaultServiceAccounts, startRootCertificates, startTokenSecrets } from './index.js';

const authorityPem = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n';
const keys = new ServiceAccountKeys(toSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));
let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  plane.run(startNamespaceController(plane));
  plane.run(startDefaultServiceAccounts(plane));
  plane.run(startRootCertificates(plane, authorityPem));
  plane.run(startTokenSecrets(plane, { authorityPem, keys }));
  await plane.namespace('x');
  await plane.settle();
});

afterEach(() => plane.dispose());

describe('objects of every namespace', () => {
  it('creates a service account and the CA certificate in new and existing namespaces', () => {
    for (const namespace of ['default', 'kube-system', 'x']) {
      expect(plane.names('serviceaccounts', namespace)).toEqual(['default']);
      expect(fields(plane.get('configmaps', namespace, 'kube-root-ca.crt')?.['data'])).toEqual({
        'ca.crt': authorityPem,
      });
    }
  });

  it('re-creates both after deletion', async () => {
    await plane.client.delete(coreResources.serviceAccounts, 'x', 'default');
    await plane.client.delete(coreResources.configMaps, 'x', 'kube-root-ca.crt');
    await plane.advance(1000);
    expect(plane.names('serviceaccounts', 'x')).toEqual(['default']);
    expect(plane.names('configmaps', 'x')).toEqual(['kube-root-ca.crt']);
  });

  it('restores the ConfigMap after edits, and keeps labels of other clients', async () => {
    await plane.client.patch(coreResources.configMaps, 'x', 'kube-root-ca.crt', {
      metadata: { labels: { mine: 'yes' }, annotations: null },
      data: { 'ca.crt': 'forged', more: 'data' },
    });
    await plane.advance(1000);
    const repaired = plane.get('configmaps', 'x', 'kube-root-ca.crt');
    expect(repaired?.['data']).toEqual({ 'ca.crt': authorityPem });
    expect(repaired?.metadata.labels).toEqual({ mine: 'yes' });
    expect(Object.keys(repaired?.metadata.annotations ?? {})).toEqual(['kubernetes.io/description']);
  });

  it('creates nothing in a namespace that is being deleted', async () => {
    await plane.configMap('x', 'held', { finalizers: ['example.com/hold'] });
    await plane.client.delete(coreResources.namespaces, '', 'x');
    await plane.advance(1000);
    expect(plane.names('configmaps', 'x')).toEqual(['held']);
    expect(plane.names('serviceaccounts', 'x')).toEqual([]);
  });
});

describe('service account token Secrets', () => {
  const create = (account: string) =>
    plane.client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 't', namespace: 'x', annotations: { 'kubernetes.io/service-account.name': account } },
      type: 'kubernetes.io/service-account-token',
    });

  const filled = () => plane.until(() => plane.get('secrets', 'x', 't')?.['data'] !== undefined);

  it('populates Secrets with token, CA and namespace', async () => {
    await create('default');
    await filled();
    const secret = plane.get('secrets', 'x', 't');
    const data = fields(secret?.['data']);
    expect(Buffer.from(text(data['namespace']), 'base64').toString()).toBe('x');
    expect(Buffer.from(text(data['ca.crt']), 'base64').toString()).toBe(authorityPem);
    expect(Buffer.from(text(data['token']), 'base64').toString().split('.')).toHaveLength(3);
    expect(secret?.metadata.annotations?.['kubernetes.io/service-account.uid']).toBe(
      plane.get('serviceaccounts', 'x', 'default')?.metadata.uid,
    );
  });

  it('deletes Secrets whose account does not exist', async () => {
    await create('nobody');
    await plane.settle();
    expect(plane.get('secrets', 'x', 't')).toBeUndefined();
  });

  it('deletes Secrets with their account, even if it is re-created', async () => {
    await create('default');
    await filled();
    await plane.client.delete(coreResources.serviceAccounts, 'x', 'default');
    await plane.advance(1000);
    expect(plane.names('serviceaccounts', 'x')).toEqual(['default']);
    expect(plane.get('secrets', 'x', 't')).toBeUndefined();
  });
});
