import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-encryption-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const secretPath = '/api/v1/namespaces/default/secrets';
const plainText = Buffer.from('plain text of the secret').toString('base64');

function writeConfiguration(name: string): void {
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  const resources = [{ resources: ['secrets'], providers: [{ secretbox: { keys } }, { identity: {} }] }];
  writeFileSync(
    at(name),
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }),
  );
}

const filesWith = (text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(at(name)).isFile() && readFileSync(at(name)).includes(text),
  );

it('encrypts an existing plane, whose data and backups then contain no plain text and need the key', async () => {
  writeConfiguration('encryption.yaml');
  writeConfiguration('other.yaml');
  const withKeys = ['--encryption-provider-config', at('encryption.yaml')];
  const plain = await startPlane(at('data'), '--api-only');
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data: { value: plainText } };
  await kubeRequest(plain.kubeconfig, 'POST', secretPath, body);
  await slipway('down', '--data-dir', at('data'));
  expect(filesWith(plainText)).toEqual(['data/store/data.mdb']);

  const rewritten = await slipway('storage', 'rewrite', '--data-dir', at('data'), ...withKeys, '-o', 'json');
  expect(rewritten.code).toBe(0);
  expect(JSON.parse(rewritten.stdout)).toMatchObject({ directory: at('data'), objects: expect.any(Number) as number });
  expect(filesWith(plainText)).toEqual([]);

  const encrypted = await startPlane(at('data'), '--api-only', '-v', ...withKeys);
  const { body: read } = await kubeRequest(encrypted.kubeconfig, 'GET', `${secretPath}/one`);
  expect(read['data']).toEqual({ value: plainText });
  const busy = await slipway('storage', 'rewrite', '--data-dir', at('data'), ...withKeys);
  expect(busy).toMatchObject({ code: 4, stderr: expect.stringContaining('is in use by process') as string });
  expect((await slipway('backup', at('plane.backup'), '--data-dir', at('data'))).code).toBe(0);
  await slipway('down', '--data-dir', at('data'));
  expect(filesWith(plainText)).toEqual([]);

  const withoutKeys = await slipway('up', '--port', '0', '--data-dir', at('data'));
  expect(withoutKeys).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets default/one') as string });
  expect(withoutKeys.stderr).toContain('--encryption-provider-config');
  const wrong = ['--encryption-provider-config', at('other.yaml')];
  expect((await slipway('up', '--port', '0', '--data-dir', at('data'), ...wrong)).stderr).toContain('is wrong');
  expect((await slipway('doctor', '--storage', '--data-dir', at('data'))).code).toBe(0);

  expect((await slipway('restore', at('plane.backup'), '--data-dir', at('restored'))).code).toBe(0);
  const restored = await startPlane(at('restored'), '--api-only', ...withKeys);
  const { body: again } = await kubeRequest(restored.kubeconfig, 'GET', `${secretPath}/one`);
  expect(again['data']).toEqual({ value: plainText });
});

it('rejects an invalid configuration without quoting it', async () => {
  writeFileSync(at('encryption.yaml'), 'kind: EncryptionConfiguration\nsecret: very-secret');
  const flags = ['--data-dir', at('data'), '--encryption-provider-config', at('encryption.yaml')];
  const result = await slipway('up', '--port', '0', ...flags);
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('must have apiVersion') as string });
  expect(result.stderr).not.toContain('very-secret');
});
