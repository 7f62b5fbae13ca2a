import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Encryption, parseEncryptionConfiguration } from '@slipway/apiserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { KmsPlugin } from '../../packages/apiserver/test/kms-plugin.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';

// kube-apiserver and Slipway each read what the other encrypted with the same configuration.
const cases = [
  { provider: 'aescbc', resource: 'secrets', kind: 'Secret', value: Buffer.from('plain-text').toString('base64') },
  { provider: 'aesgcm', resource: 'configmaps', kind: 'ConfigMap', value: 'plain-text' },
  { provider: 'kms', resource: 'resourcequotas', kind: 'ResourceQuota', value: '' },
  { provider: 'secretbox', resource: 'podtemplates', kind: 'PodTemplate', value: 'plain-text' },
] as const;

const folder = mkdtempSync(`${tmpdir()}/encryption-differential-`);
const pluginSocket = `${folder}/kms.sock`;

function configurationOf(provider: string): object {
  if (provider === 'kms') return { apiVersion: 'v2', name: 'key1', endpoint: `unix://${pluginSocket}`, timeout: '5s' };
  return { keys: [{ name: 'key1', secret: randomBytes(32).toString('base64') }] };
}

const configuration = JSON.stringify({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'EncryptionConfiguration',
  resources: cases.map(({ provider, resource }) => ({
    resources: [resource],
    providers: [{ [provider]: configurationOf(provider) }, { identity: {} }],
  })),
});

let plugin: KmsPlugin;
const encryption = new Encryption(parseEncryptionConfiguration(configuration));
let server: RealKubeApiserver;
let client: HttpsClient;

beforeAll(async () => {
  plugin = await KmsPlugin.start(pluginSocket);
  await encryption.start();
  writeFileSync(`${folder}/encryption.json`, configuration);
  server = await startRealKubeApiserver({ flags: { 'encryption-provider-config': `${folder}/encryption.json` } });
  client = new HttpsClient({
    name: 'kube-apiserver',
    url: server.url,
    port: server.port,
    certificateAuthority: server.certificateAuthority,
    clientCertificate: readFileSync(`${server.folder}/client-admin.crt`, 'utf8'),
    clientKey: readFileSync(`${server.folder}/client-admin.key`, 'utf8'),
    kubeconfigFile: server.kubeconfigFile,
    stop: () => server.stop(),
  });
});
afterAll(async () => {
  client?.close();
  encryption.dispose();
  await server?.stop();
  await plugin?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls the HTTP gateway of etcd. */
async function etcd(operation: 'range' | 'put', body: object): Promise<{ kvs?: { value: string }[] }> {
  const response = await fetch(`${server.etcdUrl}/v3/kv/${operation}`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as { kvs?: { value: string }[] };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe.each(cases)('$provider', ({ provider, resource, kind, value }) => {
  const place = { resource, namespace: 'default', name: 'shared' };
  const key = `/registry/${resource}/default/shared`;
  const path = `/api/v1/namespaces/default/${resource}`;
  const metadata = { name: 'shared' };
  const container = { name: 'web', image: 'plain-text' };
  const hard = { 'count/plain-text': '1' };
  const content =
    kind === 'PodTemplate'
      ? { template: { metadata: {}, spec: { containers: [container] } } }
      : kind === 'ResourceQuota'
        ? { spec: { hard } }
        : { data: { value } };
  let stored: Buffer;

  it('decrypts what kube-apiserver stored in etcd', async () => {
    const body = JSON.stringify({ apiVersion: 'v1', kind, metadata, ...content });
    const created = await client.call({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
    expect(created.status).toBe(201);
    const { kvs = [] } = await etcd('range', { key: base64(key) });
    stored = Buffer.from(kvs[0]?.value ?? '', 'base64');
    expect(stored.toString('latin1', 0, 40)).toContain(`k8s:enc:${provider}:${provider === 'kms' ? 'v2' : 'v1'}:key1:`);
    expect(stored.includes('plain-text')).toBe(false);
    await encryption.prepare(place, stored);
    const plain = encryption.decrypt(place, stored);
    expect(plain.toString('latin1', 0, 4)).toBe('k8s\0');
    expect(plain.includes('plain-text')).toBe(true);
  });

  it('encrypts so that kube-apiserver reads it', async () => {
    const again = encryption.encrypt(place, encryption.decrypt(place, stored));
    expect(again.equals(stored)).toBe(false);
    expect(again.length).toBe(stored.length);
    await etcd('put', { key: base64(key), value: again.toString('base64') });
    const read = await client.call({ method: 'GET', path: `${path}/shared` });
    expect(read.status).toBe(200);
    expect(JSON.parse(read.text)).toMatchObject(content);
  });
});
