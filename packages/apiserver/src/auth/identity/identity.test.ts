import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom, VirtualClock } from '@slipway/base';
import { CertificateVerifier, certificateToPem, KeyPool } from '@slipway/pki';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { IdentityFiles } from './identity-files.js';
import { memoryIdentityFiles } from './memory-identity-files.js';
import {
  adminKubeconfig,
  ensureServerIdentity,
  type IdentityDependencies,
  kubeconfigText,
  openIdentityDirectory,
  servingHosts,
} from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'identity-'));
afterAll(() => rmSync(folder, { recursive: true }));
const dayMs = 86_400_000;

function memoryFiles(): IdentityFiles & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return { texts, ...memoryIdentityFiles(texts) };
}

function createEnvironment(
  files: IdentityFiles,
  clock = new VirtualClock(),
): IdentityDependencies & { readonly clock: VirtualClock } {
  return { files, clock, random: systemRandom, keys: new KeyPool() };
}

const allFiles = [
  'pki/ca.key',
  'pki/ca.crt',
  'pki/apiserver.key',
  'pki/apiserver.crt',
  'pki/admin.key',
  'pki/admin.crt',
  'pki/sa.key',
  'pki/sa.pub',
];

describe('server identity', () => {
  it('generates keys on the first start and reuses them on the second', async () => {
    const files = memoryFiles();
    const dependencies = createEnvironment(files);
    const first = await ensureServerIdentity(dependencies, { hosts: ['api.example', '192.0.2.7'] });
    expect(first.written).toEqual(allFiles);
    expect(first.serving.certificate.dnsNames).toEqual([
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'api.example',
    ]);
    expect(first.serving.certificate.ipAddresses).toEqual(['127.0.0.1', '::1', '192.0.2.7']);
    expect(first.admin.certificate.subject).toEqual({
      commonName: 'kubernetes-admin',
      organizations: ['system:masters'],
    });
    const second = await ensureServerIdentity(dependencies, { hosts: ['api.example', '192.0.2.7'] });
    expect(second.written).toEqual([]);
    expect(certificateToPem(second.serving.certificate)).toBe(certificateToPem(first.serving.certificate));
  });

  it('issues a new serving certificate for a new name, with the same key', async () => {
    const files = memoryFiles();
    const dependencies = createEnvironment(files);
    await ensureServerIdentity(dependencies);
    const key = files.texts.get('pki/apiserver.key');
    const next = await ensureServerIdentity(dependencies, { hosts: ['other.example'] });
    expect(next.written).toEqual(['pki/apiserver.crt']);
    expect(files.texts.get('pki/apiserver.key')).toBe(key);
  });

  it('renews a certificate when less than a third of its lifetime is left', async () => {
    const dependencies = createEnvironment(memoryFiles());
    const first = await ensureServerIdentity(dependencies);
    await dependencies.clock.advance(240 * dayMs);
    expect((await ensureServerIdentity(dependencies)).written).toEqual([]);
    await dependencies.clock.advance(10 * dayMs);
    expect((await ensureServerIdentity(dependencies)).written).toEqual(['pki/apiserver.crt', 'pki/admin.crt']);
    await dependencies.clock.advance(7 * 365 * dayMs);
    const renewed = await ensureServerIdentity(dependencies);
    expect(renewed.written).toEqual(['pki/ca.crt', 'pki/apiserver.crt', 'pki/admin.crt']);
    const former = new CertificateVerifier([first.authority.certificate]);
    expect(former.verify(renewed.admin.certificate.der, dependencies.clock.now()).ok).toBe(true);
  });

  it.each([
    ['a missing certificate', 'pki/apiserver.crt', undefined, ['pki/apiserver.crt']],
    ['a missing key', 'pki/admin.key', undefined, ['pki/admin.key', 'pki/admin.crt']],
    ['a damaged certificate', 'pki/admin.crt', 'rubbish', ['pki/admin.crt']],
    ['a CA whose certificate was not written yet', 'pki/ca.crt', undefined, ['pki/ca.crt']],
    ['a missing public key', 'pki/sa.pub', undefined, ['pki/sa.pub']],
  ])('repairs %s', async (_name, file, text, written) => {
    const files = memoryFiles();
    const dependencies = createEnvironment(files);
    await ensureServerIdentity(dependencies);
    if (text === undefined) files.texts.delete(file);
    else files.texts.set(file, text);
    expect((await ensureServerIdentity(dependencies)).written).toEqual(written);
  });

  it('does not replace a CA whose key is missing or damaged, and reports how to proceed', async () => {
    const files = memoryFiles();
    const dependencies = createEnvironment(files);
    await ensureServerIdentity(dependencies);
    const key = files.texts.get('pki/ca.key') ?? '';
    files.texts.delete('pki/ca.key');
    await expect(ensureServerIdentity(dependencies)).rejects.toThrow('pki/ca.key is missing');
    files.texts.set('pki/ca.key', key.slice(0, 80));
    await expect(ensureServerIdentity(dependencies)).rejects.toThrow('pki/ca.key is not a private key');
  });

  it('uses RSA keys if requested', async () => {
    const identity = await ensureServerIdentity(createEnvironment(memoryFiles()), { keyAlgorithm: 'RSA' });
    expect(identity.serviceAccountKey.asymmetricKeyType).toBe('rsa');
    expect(identity.serving.certificate.keyUsages).toEqual(['digital signature', 'key encipherment']);
  });

  it('stores files that only their owner can read, and leaves no temporary files', async () => {
    const files = openIdentityDirectory(folder, systemRandom);
    await ensureServerIdentity(createEnvironment(files));
    const names = readdirSync(join(folder, 'pki'));
    expect(names.sort()).toEqual(allFiles.map((name) => name.slice('pki/'.length)).sort());
    for (const name of names) expect(statSync(join(folder, 'pki', name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'pki')).mode & 0o777).toBe(0o700);
    expect((await ensureServerIdentity(createEnvironment(files))).written).toEqual([]);
    expect(await files.read('pki/none')).toBeUndefined();
  });

  it('removes duplicate hosts', () => {
    const hosts = servingHosts({ hosts: ['localhost', '127.0.0.1'] });
    expect(new Set(hosts).size).toBe(hosts.length);
  });
});

describe('kubeconfigText', () => {
  const base = { cluster: 'slipway', server: 'https://127.0.0.1:6443', authorityPem: 'CA' };

  it('contains one context, which is current', () => {
    const text = kubeconfigText({
      ...base,
      user: { name: 'admin', certificatePem: 'C', keyPem: 'K' },
      namespace: 'dev',
    });
    expect(parse(text)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'slipway', cluster: { server: base.server, 'certificate-authority-data': 'Q0E=' } }],
      contexts: [{ name: 'admin@slipway', context: { cluster: 'slipway', user: 'admin', namespace: 'dev' } }],
      'current-context': 'admin@slipway',
      users: [{ name: 'admin', user: { 'client-certificate-data': 'Qw==', 'client-key-data': 'Sw==' } }],
    });
  });

  it('contains the credentials of the directory for the administrator', async () => {
    const files = memoryFiles();
    const identity = await ensureServerIdentity(createEnvironment(files));
    const config = parse(adminKubeconfig(identity, 'slipway', base.server)) as {
      users: { user: Record<string, string> }[];
    };
    const data = config.users[0]?.user['client-key-data'] ?? '';
    expect(Buffer.from(data, 'base64').toString()).toBe(files.texts.get('pki/admin.key'));
  });

  it('contains a token if one is given', () => {
    const text = kubeconfigText({ ...base, user: { name: 'robot', token: 'a: b' } });
    expect(parse(text)).toMatchObject({ users: [{ name: 'robot', user: { token: 'a: b' } }] });
  });
});
