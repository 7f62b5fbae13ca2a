import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom, VirtualClock } from '@slipway/base';
import {
  certificateToPem,
  createCa,
  generatePrivateKey,
  privateKeyToPem,
  publicKeyToPem,
  selfSign,
  servingTemplate,
} from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authoritySecrets } from './cluster-authorities.js';

const folder = mkdtempSync(join(tmpdir(), 'pki-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files: Readonly<Record<string, string>>;
let leaf: string;
beforeAll(async () => {
  const dependencies = { clock: systemClock, random: systemRandom };
  const pair = async (name: string) => {
    const key = await generatePrivateKey('ECDSA');
    const { certificate } = await createCa(dependencies, { commonName: name, key });
    return { key: privateKeyToPem(key), certificate: certificateToPem(certificate), publicKey: publicKeyToPem(key) };
  };
  const [ca, etcd, sa] = [await pair('kubernetes'), await pair('etcd'), await pair('sa')];
  const key = await generatePrivateKey('ECDSA');
  leaf = certificateToPem(await selfSign(dependencies, servingTemplate('api', ['api']), key));
  files = {
    'ca.crt': ca.certificate,
    'ca.key': ca.key,
    'etcd/ca.crt': etcd.certificate,
    'etcd/ca.key': etcd.key,
    'sa.pub': sa.publicKey,
    'sa.key': sa.key,
  };
});

/** Creates a PKI directory in kubeadm's layout with the given changes. */
function folderWith(name: string, changes: Readonly<Record<string, string | undefined>> = {}): string {
  const directory = join(folder, name);
  mkdirSync(join(directory, 'etcd'), { recursive: true });
  for (const [file, text] of Object.entries({ ...files, ...changes }))
    if (text !== undefined) writeFileSync(join(directory, file), text);
  return directory;
}

describe('the CAs of a legacy cluster', () => {
  it('become the Secrets that control planes read; a missing front-proxy CA is generated', async () => {
    const secrets = await authoritySecrets(folderWith('whole'), 'al9qy', systemClock);
    expect(secrets.map(({ metadata, type }) => [metadata.namespace, metadata.name, type])).toEqual(
      ['ca', 'etcd', 'sa'].map((purpose) => ['al9qy', `al9qy-${purpose}`, 'cluster.x-k8s.io/secret']),
    );
    expect(Buffer.from(secrets[0]?.data?.['tls.crt'] ?? '', 'base64').toString()).toBe(files['ca.crt']);
    expect(Buffer.from(secrets[0]?.data?.['tls.key'] ?? '', 'base64').toString()).toBe(files['ca.key']);
  });

  it.each<{ name: string; changes: () => Record<string, string | undefined>; expected: string }>([
    {
      name: 'a missing CA key',
      changes: () => ({ 'ca.key': undefined }),
      expected: 'ca.key is missing: without it no kubeconfig or kubelet certificate is trusted',
    },
    {
      name: 'a missing service account key',
      changes: () => ({ 'sa.key': undefined }),
      expected: 'the service account tokens of all pods become invalid',
    },
    {
      name: 'half of an optional key pair',
      changes: () => ({ 'front-proxy-ca.crt': files['ca.crt'] }),
      expected: 'front-proxy-ca.key is missing: the other file of the key pair exists',
    },
    {
      name: 'the key of another CA',
      changes: () => ({ 'ca.key': files['etcd/ca.key'] }),
      expected: 'ca.key do not match',
    },
    {
      name: 'the service account key of another pair',
      changes: () => ({ 'sa.pub': files['ca.crt'] }),
      expected: 'do not match',
    },
    {
      name: 'a certificate that is not a CA',
      changes: () => ({ 'ca.crt': leaf }),
      expected: 'ca.crt is not a CA certificate',
    },
    {
      name: 'an invalid certificate',
      changes: () => ({ 'ca.crt': 'hello' }),
      expected: 'ca.crt is not a PEM-encoded certificate',
    },
    {
      name: 'an invalid key',
      changes: () => ({ 'ca.key': 'hello' }),
      expected: 'ca.key is not a PEM-encoded private key',
    },
  ])('are rejected with $name, without the key in the error', async ({ name, changes, expected }) => {
    const refused = authoritySecrets(folderWith(name, changes()), 'al9qy', systemClock);
    await expect(refused).rejects.toThrow(expected);
    await expect(refused).rejects.not.toThrow('PRIVATE KEY-----');
  });

  it('are rejected after they have expired', async () => {
    const later = new VirtualClock(Date.parse('2999-01-01T00:00:00Z'));
    await expect(authoritySecrets(folderWith('old'), 'al9qy', later)).rejects.toThrow('expired on');
  });
});
