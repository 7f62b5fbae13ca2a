import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KmsPlugin } from '../../packages/apiserver/test/kms-plugin.js';
import { killPlanes, slipway, startPlane } from '../../packages/cli/test/support/command.js';
import { kubeRequest, kubeText } from '../../packages/cli/test/support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-kms-'));
const at = (name: string): string => join(folder, name);
const flags = ['--api-only', '--encryption-provider-config', at('encryption.json')];
const secrets = '/api/v1/namespaces/default/secrets';
const value = Buffer.from('plain text of the secret').toString('base64');
let plugin: KmsPlugin;

beforeAll(async () => {
  plugin = await KmsPlugin.start(at('kms.sock'));
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${at('kms.sock')}` };
  const resources = [{ resources: ['secrets'], providers: [{ kms }] }];
  writeFileSync(
    at('encryption.json'),
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }),
  );
});
afterAll(async () => {
  await killPlanes();
  await plugin.stop();
  rmSync(folder, { recursive: true, force: true });
});

const filesWith = (text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(at(name)).isFile() && readFileSync(at(name)).includes(text),
  );

it('encrypts with a KMS plugin, reads again after a restart, and needs the plugin', async () => {
  const first = await startPlane(at('data'), ...flags);
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data: { value } };
  expect((await kubeRequest(first.kubeconfig, 'POST', secrets, body)).status).toBe(201);
  expect(await kubeText(first.kubeconfig, 'GET', '/readyz/kms-providers')).toEqual({ status: 200, text: 'ok' });
  expect((await kubeText(first.kubeconfig, 'GET', '/livez/kms-providers')).status).toBe(404);
  await slipway('down', '--data-dir', at('data'));
  expect(filesWith(value)).toEqual([]);
  expect(filesWith('k8s:enc:kms:v2:vault:')).toEqual(['data/store/data.mdb']);

  const second = await startPlane(at('data'), ...flags);
  expect((await kubeRequest(second.kubeconfig, 'GET', `${secrets}/one`)).body['data']).toEqual({ value });
  await slipway('down', '--data-dir', at('data'));

  plugin.health = 'sealed';
  const sealed = await slipway('up', '--port', '0', '--data-dir', at('data'), ...flags);
  expect(sealed).toMatchObject({ code: 1 });
  expect(sealed.stderr).toContain('KMS plugin vault: the plugin reports "sealed"');
});
