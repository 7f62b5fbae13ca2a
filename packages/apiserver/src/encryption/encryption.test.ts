import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseEncryptionConfiguration } from './configuration.js';
import { DecryptionFailed, Encryption } from './encryption.js';

const key = (name: string, length = 32): string => `{name: ${name}, secret: ${randomBytes(length).toString('base64')}}`;
const fileOf = (...entries: readonly string[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n${entries.map((entry) => `- ${entry}\n`).join('')}`;
const encryptionOf = (...entries: readonly string[]): Encryption =>
  new Encryption(parseEncryptionConfiguration(fileOf(...entries)));

const secret = { resource: 'secrets', namespace: 'shop', name: 'key' };
const plain = Buffer.from('{"kind":"Secret"}');

describe('Encryption', () => {
  it.each(['aescbc', 'aesgcm', 'secretbox'])('encrypts and decrypts with %s, never twice to the same bytes', (kind) => {
    const encryption = encryptionOf(`{resources: [secrets], providers: [{${kind}: {keys: [${key('key1')}]}}]}`);
    const [first, second] = [encryption.encrypt(secret, plain), encryption.encrypt(secret, plain)];
    const prefix = `k8s:enc:${kind}:v1:key1:`;
    expect(first.toString('latin1').startsWith(prefix)).toBe(true);
    expect(first.includes('Secret')).toBe(false);
    expect(first.equals(second)).toBe(false);
    expect(encryption.decrypt(secret, first)).toEqual(plain);
  });

  it.each(['aesgcm', 'secretbox'])('does not decrypt a changed value, with %s', (kind) => {
    const encryption = encryptionOf(`{resources: [secrets], providers: [{${kind}: {keys: [${key('key1')}]}}]}`);
    const changed = encryption.encrypt(secret, plain);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 0xff;
    expect(() => encryption.decrypt(secret, changed)).toThrow(DecryptionFailed);
  });

  it('does not decrypt a value that was moved to another object, with aesgcm', () => {
    const encryption = encryptionOf(`{resources: [secrets], providers: [{aesgcm: {keys: [${key('key1')}]}}]}`);
    const value = encryption.encrypt(secret, plain);
    expect(() => encryption.decrypt({ ...secret, name: 'other' }, value)).toThrow(
      'cannot read secrets shop/other: the key k8s:enc:aesgcm:v1:key1: is wrong, or the value is damaged',
    );
  });

  it('writes with the first key and reads with all', () => {
    const [one, two] = [key('one'), key('two')];
    const before = encryptionOf(`{resources: [secrets], providers: [{aescbc: {keys: [${one}]}}]}`);
    const rotated = encryptionOf(
      `{resources: [secrets], providers: [{secretbox: {keys: [${two}]}}, {aescbc: {keys: [${one}]}}, {identity: {}}]}`,
    );
    expect(rotated.decrypt(secret, before.encrypt(secret, plain))).toEqual(plain);
    expect(rotated.decrypt(secret, plain)).toEqual(plain);
    const written = rotated.encrypt(secret, plain);
    expect(() => before.decrypt(secret, written)).toThrow(
      'encrypted with k8s:enc:secretbox:v1:two:, but the configuration has no such key',
    );
    expect(() => before.decrypt(secret, plain)).toThrow('has no identity provider');
  });

  it.each([
    ['*.', 'secrets', true],
    ['*.', 'apps/deployments', false],
    ['*.apps', 'apps/deployments', true],
    ['*.*', 'example.com/widgets', true],
    ['deployments.apps', 'apps/deployments', true],
    ['widgets.example.com', 'example.com/widgets', true],
    ['deployments.apps', 'deployments', false],
    ['secrets', 'configmaps', false],
  ])('%s applies to %s: %s', (pattern, resource, applies) => {
    const encryption = encryptionOf(`{resources: ["${pattern}"], providers: [{aescbc: {keys: [${key('k')}]}}]}`);
    expect(encryption.encrypt({ ...secret, resource }, plain) !== plain).toBe(applies);
  });

  it('does not encrypt with identity as first provider', () => {
    const encryption = encryptionOf(
      `{resources: [secrets], providers: [{identity: {}}, {aescbc: {keys: [${key('k')}]}}]}`,
      `{resources: ["*.*"], providers: [{aescbc: {keys: [${key('k')}]}}]}`,
    );
    expect(encryption.encrypt(secret, plain)).toBe(plain);
    expect(encryption.encrypt({ ...secret, resource: 'configmaps' }, plain)).not.toBe(plain);
  });
});

describe('parseEncryptionConfiguration', () => {
  const entry = (resources: string, providers: string): string => `{resources: ${resources}, providers: ${providers}}`;
  it.each([
    [
      'another kind',
      'kind: Policy',
      'must have apiVersion apiserver.config.k8s.io/v1 and kind EncryptionConfiguration',
    ],
    ['no entries', fileOf().replace('resources:', 'resources: []'), 'resources: a value is required'],
    ['no providers', fileOf(entry('[secrets]', '[]')), 'resources[0].providers: a value is required'],
    [
      'an unknown provider',
      fileOf(entry('[secrets]', '[{rot13: {}}]')),
      'unknown field "resources[0].providers[0].rot13"',
    ],
    ['KMS v1', fileOf(entry('[secrets]', '[{kms: {}}]')), 'kms.apiVersion must be v2'],
    [
      'a short key',
      fileOf(entry('[secrets]', `[{secretbox: {keys: [${key('k', 16)}]}}]`)),
      'has 16 bytes, but secretbox needs 32',
    ],
    [
      'a key that is not base64',
      fileOf(entry('[secrets]', '[{aescbc: {keys: [{name: k, secret: "§"}]}}]')),
      'must be base64-encoded',
    ],
    [
      'two keys of one name',
      fileOf(entry('[secrets]', `[{aescbc: {keys: [${key('k')}, ${key('k')}]}}]`)),
      'two keys have the name "k"',
    ],
    ['a lone wildcard', fileOf(entry('["*"]', '[{identity: {}}]')), "use '*.' for all resources of the core group"],
    [
      'a masked resource',
      fileOf(entry('["*."]', '[{identity: {}}]'), entry('[secrets]', '[{identity: {}}]')),
      '"secrets" has no effect, because "*." precedes it',
    ],
  ])('rejects %s', (_name, text, message) => {
    expect(() => parseEncryptionConfiguration(text)).toThrow(message);
  });

  it('does not quote keys in errors', () => {
    const text = fileOf('{resources: [secrets], providers: [{aescbc: {keys: [{name: k, secret: dmVyeS1zZWNyZXQ=}]}}]}');
    expect(() => parseEncryptionConfiguration(text)).toThrow(/^(?!.*dmVyeS1zZWNyZXQ).*has 11 bytes/);
    expect(() => parseEncryptionConfiguration(`${text}  dmVyeS1zZWNyZXQ: [`)).toThrow('neither YAML nor JSON');
  });
});
