import { seededRandom, VirtualClock } from '@slipway/base';
import { KeyPool, parseCertificates, privateKeyFromPem, publicKeyPin } from '@slipway/pki';
import { parseKubeconfig, type Secret } from '@slipway/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { caCertificateHashes } from '../bootstrap-data/index.js';
import {
  certificateFiles,
  certificateOf,
  type CertificatePurpose,
  type CertificateSet,
  certificateSecret,
  certificateSecretNames,
  checkCertificates,
  controlPlaneCertificates,
  createKubeconfig,
  earliestExpiry,
  generateCertificates,
  kubeconfigSecret,
  kubeconfigServer,
  missingCertificates,
  needsKubeconfigRotation,
  readCertificates,
  workerCertificates,
} from './index.js';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const clock = new VirtualClock(now);
const dependencies = { clock, random: seededRandom(1), keys: new KeyPool({ size: 0 }) };
const owner = { apiVersion: 'a/v1', kind: 'Owner', name: 'o', uid: 'u', controller: true };
const key = { namespace: 'fleet', name: 'blue' };
const external = { endpoints: ['https://e'], caFile: '/e/ca.crt', certFile: '/e/client.crt', keyFile: '/e/client.key' };

let set: CertificateSet;
beforeAll(async () => {
  set = await generateCertificates(controlPlaneCertificates({ encryptionAlgorithm: 'ECDSA-P256' }), dependencies);
});

function pairOf(from: CertificateSet, purpose: CertificatePurpose): { certificate: string; key: string } {
  const pair = certificateOf(from, purpose)?.keyPair;
  if (pair === undefined) throw new Error(`no key pair for ${purpose}`);
  return pair;
}

function secretsOf(from: CertificateSet): Map<string, Secret> {
  return new Map(
    from.map((certificate): [string, Secret] => {
      const secret = certificateSecret(certificate, key, owner);
      return [secret.metadata.name ?? '', secret];
    }),
  );
}

describe('the certificates of a cluster', () => {
  it('are four, or five with an external etcd', () => {
    expect(certificateSecretNames(set, 'blue')).toEqual(['blue-ca', 'blue-sa', 'blue-proxy', 'blue-etcd']);
    const five = controlPlaneCertificates({ etcd: { external }, certificatesDir: '/c' });
    expect(five.map(({ purpose, certificateFile, keyFile }) => [purpose, certificateFile, keyFile])).toEqual([
      ['ca', '/c/ca.crt', '/c/ca.key'],
      ['sa', '/c/sa.pub', '/c/sa.key'],
      ['proxy', '/c/front-proxy-ca.crt', '/c/front-proxy-ca.key'],
      ['apiserver-etcd-client', '/e/client.crt', '/e/client.key'],
      ['etcd', '/e/ca.crt', ''],
    ]);
    expect(workerCertificates()).toMatchObject([{ purpose: 'ca', certificateFile: '/etc/kubernetes/pki/ca.crt' }]);
  });

  it('are CAs that are valid for ten years, and a key pair for service accounts', () => {
    const [ca] = parseCertificates(pairOf(set, 'ca').certificate);
    expect(ca).toMatchObject({
      subject: { commonName: 'kubernetes' },
      isCa: true,
      notBefore: now - 300_000,
      notAfter: now + 3650 * dayMs,
    });
    expect(pairOf(set, 'ca').key).toContain('BEGIN EC PRIVATE KEY');
    expect(pairOf(set, 'sa').certificate).toContain('BEGIN PUBLIC KEY');
    expect(checkCertificates(set, 'blue', now)).toEqual([]);
    expect(earliestExpiry(set)).toBe(now + 3650 * dayMs);
  });

  it.each([
    ['RSA-2048', undefined, 'RSA PRIVATE KEY'],
    ['ECDSA-P384', 'ECDSA-P384', 'EC PRIVATE KEY'],
    ['RSA-3072', 'RSA-3072', 'RSA PRIVATE KEY'],
  ] as const)('have keys of %s', async (strength, encryptionAlgorithm, label) => {
    const desired = controlPlaneCertificates({
      caCertificateValidityPeriodDays: 10,
      ...(encryptionAlgorithm === undefined ? {} : { encryptionAlgorithm }),
    }).slice(0, 1);
    const { certificate, key: pem } = pairOf(await generateCertificates(desired, dependencies), 'ca');
    expect(pem).toContain(label);
    expect(parseCertificates(certificate)[0]?.notAfter).toBe(now + 10 * dayMs);
    const details = privateKeyFromPem(pem).asymmetricKeyDetails;
    expect(details?.modulusLength ?? details?.namedCurve).toBe(
      { 'RSA-2048': 2048, 'RSA-3072': 3072, 'ECDSA-P384': 'secp384r1' }[strength],
    );
  });

  it('are generated only where they are missing, and never for an external etcd', async () => {
    const desired = readCertificates(controlPlaneCertificates(), secretsOf(set.slice(0, 3)), 'blue');
    expect(missingCertificates(desired)).toEqual(['etcd']);
    const full = await generateCertificates(
      desired.map((certificate) => ({ ...certificate, strength: 'ECDSA-P256' as const })),
      dependencies,
    );
    expect(full.map((certificate) => certificate.isGenerated ?? false)).toEqual([false, false, false, true]);
    expect(pairOf(full, 'ca')).toEqual(pairOf(set, 'ca'));
    const etcd = controlPlaneCertificates({ etcd: { external } }).slice(3);
    expect(await generateCertificates(etcd, dependencies)).toEqual(etcd);
  });

  it('round-trip through Secrets', () => {
    const secrets = secretsOf(set);
    expect(secrets.get('blue-ca')).toMatchObject({
      metadata: {
        namespace: 'fleet',
        labels: { 'cluster.x-k8s.io/cluster-name': 'blue' },
        ownerReferences: [owner],
      },
      type: 'cluster.x-k8s.io/secret',
    });
    const read = readCertificates(controlPlaneCertificates(), secrets, 'blue');
    expect(read.map((certificate) => certificate.keyPair)).toEqual(set.map((certificate) => certificate.keyPair));
  });

  it('must be provided by the user for an external etcd', () => {
    const desired = controlPlaneCertificates({ etcd: { external } });
    expect(() => readCertificates(desired, secretsOf(set), 'blue')).toThrow(
      'external certificate not found: Secret blue-apiserver-etcd-client',
    );
  });

  it('reports a Secret without tls.crt by name', () => {
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'blue-ca' },
      data: { 'tls.key': 'a2V5' },
    };
    expect(() => readCertificates(workerCertificates(), new Map([['blue-ca', secret]]), 'blue')).toThrow(
      'failed to read keypair from certificate blue-ca: missing data for key tls.crt',
    );
  });

  it('are written as files in the order of Cluster API', () => {
    expect(certificateFiles(set).map(({ path, permissions }) => `${permissions} ${path}`)).toEqual([
      '0640 /etc/kubernetes/pki/ca.crt',
      '0600 /etc/kubernetes/pki/ca.key',
      '0640 /etc/kubernetes/pki/etcd/ca.crt',
      '0600 /etc/kubernetes/pki/etcd/ca.key',
      '0640 /etc/kubernetes/pki/front-proxy-ca.crt',
      '0600 /etc/kubernetes/pki/front-proxy-ca.key',
      '0640 /etc/kubernetes/pki/sa.pub',
      '0600 /etc/kubernetes/pki/sa.key',
    ]);
  });

  it('are hashed for discovery, each certificate of a bundle', () => {
    const bundle = pairOf(set, 'ca').certificate + pairOf(set, 'etcd').certificate;
    const hashes = caCertificateHashes(bundle);
    expect(hashes).toEqual(parseCertificates(bundle).map(publicKeyPin));
    expect(hashes[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('checkCertificates', () => {
  const replaced = (purpose: CertificatePurpose, change: { certificate?: string; key?: string }): CertificateSet =>
    set.map((certificate) =>
      certificate.purpose === purpose && certificate.keyPair !== undefined
        ? { ...certificate, keyPair: { ...certificate.keyPair, ...change } }
        : certificate,
    );

  it.each([
    ['ca', { certificate: 'no PEM' }, 'NotPem', 'Secret blue-ca: tls.crt is not a PEM-encoded certificate'],
    ['ca', { key: 'no PEM' }, 'NotPem', 'Secret blue-ca: tls.key is not a PEM-encoded EC or RSA private key'],
    ['etcd', { key: '' }, 'MissingKeyData', 'Secret blue-etcd: missing key data for certificate: etcd; add tls.key'],
    ['proxy', { certificate: '' }, 'MissingCertificateData', 'Secret blue-proxy: tls.crt is empty'],
    ['sa', { certificate: 'no PEM' }, 'NotPem', 'Secret blue-sa: tls.crt is not a PEM-encoded public key'],
    ['sa', { key: 'no PEM' }, 'NotPem', 'Secret blue-sa: tls.key is not a PEM-encoded EC or RSA private key'],
  ] as const)('%s: %j is %s', (purpose, change, reason, message) => {
    expect(checkCertificates(replaced(purpose, change), 'blue', now)).toMatchObject([{ reason, message, purpose }]);
  });

  it('reports keys that do not match their certificate', () => {
    const [ca, sa] = [replaced('ca', { key: pairOf(set, 'etcd').key }), replaced('sa', { key: pairOf(set, 'ca').key })];
    expect(checkCertificates(ca, 'blue', now)).toMatchObject([{ reason: 'KeyMismatch' }]);
    expect(checkCertificates(sa, 'blue', now)).toMatchObject([{ reason: 'KeyMismatch' }]);
  });

  it('reports expired certificates and those that are not yet valid', () => {
    const late = checkCertificates(set.slice(0, 1), 'blue', now + 3651 * dayMs);
    expect(late).toMatchObject([
      { reason: 'Expired', message: expect.stringContaining('expired at 2035-12-30') as string },
    ]);
    expect(checkCertificates(set.slice(0, 1), 'blue', now - dayMs)).toMatchObject([{ reason: 'NotYetValid' }]);
  });

  it('reports certificates that are not CA certificates', async () => {
    const text = await createKubeconfig(dependencies, {
      clusterName: 'a',
      server: 'https://a',
      authority: pairOf(set, 'ca'),
      strength: 'ECDSA-P256',
    });
    const user = parseKubeconfig(text).users.get('a-admin')?.value ?? {};
    const plain = (name: string): string => Buffer.from(user[name] as string, 'base64').toString();
    const change = { certificate: plain('client-certificate-data'), key: plain('client-key-data') };
    expect(checkCertificates(replaced('ca', change), 'blue', now)).toMatchObject([{ reason: 'NotCA' }]);
  });

  it('never quotes a key', () => {
    const marked = replaced('ca', { key: 'SECRET', certificate: 'SECRET' });
    expect(JSON.stringify(checkCertificates(marked, 'blue', now).map((error) => error.message))).not.toContain(
      'SECRET',
    );
  });
});

describe('the kubeconfig', () => {
  async function secretAt(server = 'https://10.0.0.1:6443'): Promise<Secret> {
    const options = { clusterName: 'blue', server, authority: pairOf(set, 'ca'), strength: 'ECDSA-P256' as const };
    return kubeconfigSecret(key, await createKubeconfig(dependencies, options), owner);
  }

  it('authenticates an administrator, and is stored in a Secret of the cluster', async () => {
    const secret = await secretAt();
    expect(secret.metadata).toMatchObject({
      name: 'blue-kubeconfig',
      labels: { 'cluster.x-k8s.io/cluster-name': 'blue' },
    });
    const config = parseKubeconfig(Buffer.from(secret.data?.['value'] ?? '', 'base64'));
    expect(config.currentContext).toBe('blue-admin@blue');
    expect(config.contexts.get('blue-admin@blue')?.value).toEqual({ cluster: 'blue', user: 'blue-admin' });
    expect(config.clusters.get('blue')?.value).toEqual({
      server: 'https://10.0.0.1:6443',
      'certificate-authority-data': Buffer.from(pairOf(set, 'ca').certificate).toString('base64'),
    });
    const pem = config.users.get('blue-admin')?.value['client-certificate-data'] as string;
    expect(parseCertificates(Buffer.from(pem, 'base64').toString())[0]).toMatchObject({
      subject: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
      extendedKeyUsages: ['client auth'],
      notBefore: now - 300_000,
      notAfter: now + 365 * dayMs,
    });
  });

  it('is rotated at half-life and keeps its server URL, which users may have customized [14.27]', async () => {
    const secret = await secretAt('https://proxy.example.com/blue');
    expect(needsKubeconfigRotation(secret, now + 182 * dayMs)).toBe(false);
    expect(needsKubeconfigRotation(secret, now + 182.5 * dayMs)).toBe(false);
    expect(needsKubeconfigRotation(secret, now + 182.5 * dayMs + 1)).toBe(true);
    expect(kubeconfigServer(secret, 'blue')).toBe('https://proxy.example.com/blue');
    expect(kubeconfigServer(secret, 'red')).toBeUndefined();
  });

  it('reports what is invalid in a kubeconfig that a user changed', async () => {
    const secret = await secretAt();
    expect(() => needsKubeconfigRotation({ ...secret, data: {} }, now)).toThrow('missing key "value" in secret data');
    const value = Buffer.from('users: [{name: a, user: {}}]').toString('base64');
    expect(() => needsKubeconfigRotation({ ...secret, data: { value } }, now)).toThrow(
      'failed to decode kubeconfig client certificate of user a',
    );
  });

  it('requires the key of the CA', async () => {
    const authority = { ...pairOf(set, 'ca'), key: '' };
    await expect(createKubeconfig(dependencies, { clusterName: 'a', server: 'b', authority })).rejects.toThrow(
      'CA private key not found',
    );
    await expect(
      createKubeconfig(dependencies, { clusterName: 'a', server: 'b', authority: { certificate: 'x', key: 'y' } }),
    ).rejects.toThrow('failed to decode CA Cert');
  });
});
