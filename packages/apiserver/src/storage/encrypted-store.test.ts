import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Encryption, parseEncryptionConfiguration } from '../encryption/index.js';
import { backupDirectory, restoreBackup } from './backup.js';
import type { ObjectStore } from './object-store.js';
import { openStore } from './open-store.js';
import { rewriteDirectory } from './rewrite.js';

const keys = new Map<string, string>();
const keyOf = (name: string): string => {
  const secret = keys.get(name) ?? randomBytes(32).toString('base64');
  keys.set(name, secret);
  return `{name: ${name}, secret: ${secret}}`;
};
const encryptionOf = (...providers: readonly string[]): Encryption =>
  new Encryption(
    parseEncryptionConfiguration(
      `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [${providers.join(', ')}]}]}`,
    ),
  );
const secretbox = (name: string): string => `{secretbox: {keys: [${keyOf(name)}]}}`;
const aesgcm = (name: string): string => `{aesgcm: {keys: [${keyOf(name)}]}}`;

const plainText = 'the-plain-text-of-the-secret';
const key = { resource: 'secrets', namespace: 'shop', name: 'key' };
const secretWith = (value: string): KubeObject => ({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'key', namespace: 'shop' },
  data: { value },
});

let folder: string;
let directory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encrypted-store-'));
  directory = join(folder, 'store');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withStore<T>(encryption: Encryption | undefined, work: (store: ObjectStore) => Promise<T>): Promise<T> {
  const store = await openStore({ directory, ...(encryption && { encryption }) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes a Secret twice and deletes another one, so that the history contains earlier states. */
const writeSecrets = (encryption: Encryption | undefined): Promise<void> =>
  withStore(encryption, async (store) => {
    const { revision } = await store.commit({ key, expected: 0, object: secretWith(`${plainText}-1`) });
    await store.commit({ key, expected: revision, object: secretWith(`${plainText}-2`) });
    const gone = { ...key, name: 'gone' };
    const other = await store.commit({ key: gone, expected: 0, object: secretWith(`${plainText}-3`) });
    await store.commit({ key: gone, expected: other.revision, object: undefined });
  });

const readSecret = (encryption: Encryption | undefined): Promise<unknown> =>
  withStore(encryption, (store) => Promise.resolve(store.get(key)?.object['data']));

/** Returns the files below the folder that contain the text. */
const filesWith = (text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && readFileSync(join(folder, name)).includes(text),
  );

describe('an encrypted store', () => {
  it('has the plain text in no file: objects, history and backup', async () => {
    const encryption = encryptionOf(aesgcm('one'));
    await writeSecrets(encryption);
    await backupDirectory(directory, join(folder, 'plane.backup'));
    expect(filesWith('k8s:enc:aesgcm:v1:one:').toSorted()).toEqual(['plane.backup', join('store', 'data.mdb')]);
    expect(filesWith(plainText)).toEqual([]);
    expect(await readSecret(encryption)).toEqual({ value: `${plainText}-2` });
  });

  it('is the same after a backup was restored', async () => {
    const encryption = encryptionOf(secretbox('one'));
    await writeSecrets(encryption);
    await backupDirectory(directory, join(folder, 'plane.backup'));
    directory = join(folder, 'restored');
    await restoreBackup(join(folder, 'plane.backup'), directory);
    expect(await readSecret(encryption)).toEqual({ value: `${plainText}-2` });
  });

  it('replays its history to watches after a restart', async () => {
    const encryption = encryptionOf(secretbox('one'));
    await writeSecrets(encryption);
    const values = await withStore(encryption, (store) => {
      const seen: unknown[] = [];
      store.watch({ resource: 'secrets' }, store.compactedRevision, ({ type, current }) =>
        seen.push([type, current.object['data']]),
      );
      return Promise.resolve(seen);
    });
    expect(values).toEqual([
      ['ADDED', { value: `${plainText}-1` }],
      ['MODIFIED', { value: `${plainText}-2` }],
      ['ADDED', { value: `${plainText}-3` }],
      ['DELETED', { value: `${plainText}-3` }],
    ]);
  });

  it('does not open without its key, and loses nothing', async () => {
    const encryption = encryptionOf(secretbox('one'));
    await writeSecrets(encryption);
    await expect(readSecret(undefined)).rejects.toThrow(
      'cannot read secrets shop/key: it is encrypted, but no encryption configuration is set',
    );
    await expect(readSecret(encryptionOf(secretbox('two'), '{identity: {}}'))).rejects.toThrow(
      'it is encrypted with k8s:enc:secretbox:v1:one:, but the configuration has no such key',
    );
    const wrong = new Encryption([
      { resources: ['secrets'], providers: [{ kind: 'secretbox', keys: [{ name: 'one', secret: randomBytes(32) }] }] },
    ]);
    await expect(readSecret(wrong)).rejects.toThrow(
      'the key k8s:enc:secretbox:v1:one: is wrong, or the value is damaged',
    );
    expect(await readSecret(encryption)).toEqual({ value: `${plainText}-2` });
  });

  it('encrypts existing objects with a rewrite, which leaves no plain text behind', async () => {
    await writeSecrets(undefined);
    expect(filesWith(plainText)).toEqual([join('store', 'data.mdb')]);
    const encryption = encryptionOf(secretbox('one'), '{identity: {}}');
    expect(await rewriteDirectory(directory, encryption)).toEqual({ revision: 4, objects: 1 });
    expect(filesWith(plainText)).toEqual([]);
    expect(await readSecret(encryptionOf(secretbox('one')))).toEqual({ value: `${plainText}-2` });
  });

  it('rotates keys, and drops history of a removed key', async () => {
    await writeSecrets(encryptionOf(secretbox('one')));
    await withStore(encryptionOf(aesgcm('two'), secretbox('one')), async (store) => {
      const revision = store.get(key)?.revision ?? 0;
      await store.commit({ key, expected: revision, object: secretWith('next') });
    });
    await withStore(encryptionOf(aesgcm('two')), (store) => {
      expect(store.get(key)?.object['data']).toEqual({ value: 'next' });
      expect(store.compactedRevision).toBe(4);
      return Promise.resolve();
    });
  });

  it('is unchanged by a rewrite that fails', async () => {
    const encryption = encryptionOf(secretbox('one'));
    await writeSecrets(encryption);
    await expect(rewriteDirectory(directory, encryptionOf(secretbox('two')))).rejects.toThrow('has no such key');
    await expect(withStore(encryption, () => rewriteDirectory(directory, encryption))).rejects.toThrow(
      'is in use by process',
    );
    expect(await readSecret(encryption)).toEqual({ value: `${plainText}-2` });
    expect(readdirSync(folder)).toEqual(['store']);
  });
});
