import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { silentLogger, systemClock, VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KmsPlugin } from './kms-plugin.js';
import { Encryption, openStore, parseEncryptionConfiguration, rewriteDirectory } from '../src/index.js';

let folder = '';
let plugin: KmsPlugin;
beforeEach(async () => {
  folder = mkdtempSync(`${tmpdir()}/kms-`);
  plugin = await KmsPlugin.start(`${folder}/kms.sock`);
});
afterEach(async () => {
  await plugin.stop();
  rmSync(folder, { recursive: true, force: true });
});

const place = { resource: 'secrets', namespace: 'shop', name: 'key' };
const plain = Buffer.from('{"kind":"Secret"}');

function encryptionOf(timeout = '2s', clock = systemClock, ...others: object[]): Encryption {
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${folder}/kms.sock`, timeout };
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ kms }, ...others] }],
  });
  return new Encryption(parseEncryptionConfiguration(text), { clock, logger: silentLogger });
}

async function started(...parameters: Parameters<typeof encryptionOf>): Promise<Encryption> {
  const encryption = encryptionOf(...parameters);
  await encryption.start();
  return encryption;
}

describe('a KMS plugin', () => {
  it('encrypts a seed once, and values with keys that are derived from it', async () => {
    const encryption = await started();
    const [first, second] = [encryption.encrypt(place, plain), encryption.encrypt(place, plain)];
    expect(first.toString('latin1').startsWith('k8s:enc:kms:v2:vault:')).toBe(true);
    expect(first.equals(second)).toBe(false);
    expect(encryption.decrypt(place, first)).toEqual(plain);
    expect(() => encryption.decrypt({ ...place, name: 'other' }, first)).toThrow('or the value is damaged');
    expect(plugin.calls).toEqual(['Status', 'Encrypt']);
    encryption.dispose();
  });

  it('decrypts the key of earlier starts once', async () => {
    const before = await started();
    const values = [before.encrypt(place, plain), before.encrypt(place, plain)];
    before.dispose();
    const after = await started();
    plugin.calls.length = 0;
    for (const value of values) await after.prepare(place, value);
    expect(values.map((value) => after.decrypt(place, value))).toEqual([plain, plain]);
    expect(plugin.calls).toEqual(['Decrypt']);
    after.dispose();
  });

  it('encrypts with a new key within a minute after the key ID changed', async () => {
    const clock = new VirtualClock();
    const encryption = await started('2s', clock);
    const before = encryption.encrypt(place, plain);
    plugin.keyId = 'key-2';
    await clock.advance(60_000);
    await expect.poll(() => encryption.encrypt(place, plain).includes('key-2')).toBe(true);
    expect(encryption.decrypt(place, before)).toEqual(plain);
    encryption.dispose();
  });

  it('is reported as not healthy until it responds again, and writes continue with the last key', async () => {
    const clock = new VirtualClock();
    const encryption = await started('2s', clock);
    plugin.health = 'no connection to the HSM';
    await clock.advance(60_000);
    const problem = (): string => {
      try {
        encryption.checkHealth();
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    await expect.poll(problem).toBe('KMS plugin vault: the plugin reports "no connection to the HSM"');
    expect(encryption.decrypt(place, encryption.encrypt(place, plain))).toEqual(plain);
    plugin.health = 'ok';
    await clock.advance(10_000);
    await expect.poll(problem).toBe('');
    encryption.dispose();
  });

  it('must be healthy at the start, and respond in time', async () => {
    plugin.health = 'sealed';
    await expect(encryptionOf().start()).rejects.toThrow('KMS plugin vault: the plugin reports "sealed"');
    plugin.hangs = true;
    await expect(encryptionOf('50ms').start()).rejects.toThrow('no response in 50 ms');
    await plugin.stop();
    await expect(encryptionOf().start()).rejects.toThrow(/kms\.sock: connect (ENOENT|ECONNREFUSED)/);
    plugin = await KmsPlugin.start(`${folder}/other.sock`);
  });
});

describe('a store whose keys come from a KMS plugin', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'shop' } };
  const open = async (encryption: Encryption) => openStore({ directory: `${folder}/store`, encryption });

  it('is read again with the plugin, after the key was rotated, and after a rewrite without the old key', async () => {
    const first = await started();
    const store = await open(first);
    await store.commit({ key: place, expected: 0, object: secret });
    await store.close();
    first.dispose();

    plugin.keyId = 'key-2';
    const second = await started();
    const again = await open(second);
    expect(again.get(place)?.object).toMatchObject(secret);
    await again.close();
    expect(await rewriteDirectory(`${folder}/store`, second)).toMatchObject({ objects: 1 });
    second.dispose();

    plugin.forget('key-1');
    const third = await started();
    const last = await open(third);
    expect(last.get(place)?.object).toMatchObject(secret);
    await last.close();
    third.dispose();
  });

  it('is not opened, nor changed, if the plugin has lost the key', async () => {
    const first = await started();
    const store = await open(first);
    await store.commit({ key: place, expected: 0, object: secret });
    await store.close();
    first.dispose();
    plugin.forget('key-1');
    plugin.keyId = 'key-2';
    const second = await started();
    await expect(open(second)).rejects.toThrow(
      'cannot read secrets shop/key: KMS plugin vault: cannot decrypt the key with the ID "key-1": ' +
        `Decrypt at ${folder}/kms.sock: gRPC status 2: no key key-1`,
    );
    second.dispose();
  });
});

it.each([
  [{ apiVersion: 'v1' }, 'kms.apiVersion must be v2'],
  [{ name: '' }, 'kms.name: a value is required'],
  [{ name: 'a:b' }, 'kms.name must not contain a colon'],
  [{ endpoint: 'https://kms' }, 'kms.endpoint must be a Unix socket'],
  [{ timeout: '-1s' }, 'kms.timeout must be a positive duration'],
  [{ timeout: 'soon' }, 'kms.timeout must be a positive duration'],
  [{ cachesize: 5 }, 'kms.cachesize is not supported'],
  [{ keys: [] }, 'unknown field'],
])('rejects the configuration %j', (change, message) => {
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: 'unix:///run/kms.sock', ...change };
  const resources = [{ resources: ['secrets'], providers: [{ kms }] }];
  const text = JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });
  expect(() => parseEncryptionConfiguration(text)).toThrow(message);
});
