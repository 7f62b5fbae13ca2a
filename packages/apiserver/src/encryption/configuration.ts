import { durationToMs, fieldsOf, isFields, parseYamlValue, tryParseDuration } from '@slipway/kube';
import { type CipherKind, cipherKinds, keyLengths } from './ciphers.js';
import type { KmsConfiguration } from './kms/kms-provider.js';

interface ProviderKey {
  readonly name: string;
  readonly secret: Buffer;
}

export type ProviderConfiguration =
  | { readonly kind: 'identity' }
  | { readonly kind: 'kms'; readonly plugin: KmsConfiguration }
  | { readonly kind: CipherKind; readonly keys: readonly ProviderKey[] };

export interface EncryptedResources {
  /** Names such as `secrets`, `deployments.apps`, `*.apps`, `*.` (core group) and `*.*`. */
  readonly resources: readonly string[];
  /** The first provider writes, all of them read. */
  readonly providers: readonly ProviderConfiguration[];
}

export class EncryptionConfigurationError extends Error {
  override readonly name = 'EncryptionConfigurationError';
}

const versions = ['apiserver.config.k8s.io/v1', 'v1'];

/** Parses an EncryptionConfiguration in YAML or JSON. Error messages never contain keys. */
export function parseEncryptionConfiguration(text: string): readonly EncryptedResources[] {
  let root: unknown;
  try {
    root = parseYamlValue(text);
  } catch {
    // The parser's message could quote a key.
    throw new EncryptionConfigurationError('the file is neither YAML nor JSON');
  }
  if (!isFields(root) || root['kind'] !== 'EncryptionConfiguration' || !versions.includes(String(root['apiVersion'])))
    throw new EncryptionConfigurationError(
      `the file must have apiVersion ${versions[0]} and kind EncryptionConfiguration`,
    );
  checkFields(root, ['apiVersion', 'kind', 'metadata', 'resources'], '');
  const lists = itemsAt(root['resources'], 'resources');
  if (lists.length === 0) throw new EncryptionConfigurationError('resources: a value is required');
  const entries = lists.map((entry, index) => readEntry(entry, `resources[${index}]`));
  checkMasked(entries);
  checkPluginNames(entries);
  return entries;
}

type Fields = Readonly<Record<string, unknown>>;

function checkFields(value: Fields, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new EncryptionConfigurationError(`unknown field "${prefix}${unknown}"`);
}

function itemsAt(value: unknown, path: string): readonly Fields[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new EncryptionConfigurationError(`${path} must be a list of objects`);
}

function readEntry(entry: Fields, path: string): EncryptedResources {
  checkFields(entry, ['resources', 'providers'], `${path}.`);
  const { resources } = entry;
  if (!Array.isArray(resources) || resources.length === 0 || !resources.every((name) => typeof name === 'string'))
    throw new EncryptionConfigurationError(`${path}.resources must be a list of resource names`);
  for (const [index, name] of resources.entries()) checkName(name, `${path}.resources[${index}]`);
  const providers = itemsAt(entry['providers'], `${path}.providers`);
  if (providers.length === 0) throw new EncryptionConfigurationError(`${path}.providers: a value is required`);
  return { resources, providers: providers.map((each, index) => readProvider(each, `${path}.providers[${index}]`)) };
}

function checkName(name: string, path: string): void {
  const fail = (problem: string): never => {
    throw new EncryptionConfigurationError(`${path}: invalid resource ${JSON.stringify(name)}: ${problem}`);
  };
  if (name === '' || name !== name.toLowerCase()) fail('the name must not be empty or contain capital letters');
  if (name === '*') fail("use '*.' for all resources of the core group and '*.*' for all resources");
  if (name.includes('/')) fail('subresources are not stored');
  if (name.slice(1).includes('*') && name !== '*.*') fail("a wildcard is only allowed as '*.', '*.<group>' or '*.*'");
}

function readProvider(provider: Fields, path: string): ProviderConfiguration {
  const kinds = Object.keys(provider);
  const [kind = ''] = kinds;
  if (kinds.length !== 1) throw new EncryptionConfigurationError(`${path} must have exactly one provider`);
  if (kind === 'identity') return { kind };
  if (kind === 'kms') return { kind, plugin: readPlugin(fieldsOf(provider[kind]), `${path}.kms`) };
  const found = cipherKinds.find((each) => each === kind);
  if (found === undefined) throw new EncryptionConfigurationError(`unknown field "${path}.${kind}"`);
  const configuration = fieldsOf(provider[kind]);
  checkFields(configuration, ['keys'], `${path}.${kind}.`);
  const keys = itemsAt(configuration['keys'], `${path}.${kind}.keys`);
  if (keys.length === 0) throw new EncryptionConfigurationError(`${path}.${kind}.keys: a value is required`);
  const read = keys.map((key, index) => readKey(key, found, `${path}.${kind}.keys[${index}]`));
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw new EncryptionConfigurationError(
      `${path}.${kind}.keys: two keys have the name ${JSON.stringify(twice.name)}`,
    );
  return { kind: found, keys: read };
}

const timeoutDefaultMs = 3_000;

function readPlugin(plugin: Fields, path: string): KmsConfiguration {
  const fail = (problem: string): never => {
    throw new EncryptionConfigurationError(`${path}${problem}`);
  };
  checkFields(plugin, ['apiVersion', 'name', 'endpoint', 'cachesize', 'timeout'], `${path}.`);
  const { apiVersion, name, endpoint, cachesize, timeout } = plugin;
  if (apiVersion !== 'v2') fail('.apiVersion must be v2: v1 is deprecated and not supported');
  if (cachesize !== undefined) fail('.cachesize is not supported by v2');
  if (typeof name !== 'string' || name === '') return fail('.name: a value is required');
  if (name.includes(':')) fail('.name must not contain a colon');
  const socketPath = typeof endpoint === 'string' ? /^unix:\/\/(\/[^?#]+)$/.exec(endpoint)?.[1] : undefined;
  if (socketPath === undefined) return fail('.endpoint must be a Unix socket, such as unix:///run/kms.sock');
  const timeoutMs = timeout === undefined ? timeoutDefaultMs : positiveMs(timeout);
  if (timeoutMs <= 0) return fail('.timeout must be a positive duration, such as 3s');
  return { name, socketPath, timeoutMs };
}

/** Returns 0 for what is not a duration. */
function positiveMs(duration: unknown): number {
  return typeof duration === 'string' ? durationToMs(tryParseDuration(duration) ?? 0n) : 0;
}

/** Rejects two plugins with the same name: values name the plugin that can decrypt them. */
function checkPluginNames(entries: readonly EncryptedResources[]): void {
  const names = entries.flatMap(({ providers }) =>
    providers.flatMap((provider) => (provider.kind === 'kms' ? [provider.plugin.name] : [])),
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new EncryptionConfigurationError(`two KMS plugins have the name ${JSON.stringify(twice)}`);
}

function readKey(key: Fields, kind: CipherKind, path: string): ProviderKey {
  checkFields(key, ['name', 'secret'], `${path}.`);
  const { name, secret } = key;
  if (typeof name !== 'string' || name === '')
    throw new EncryptionConfigurationError(`${path}.name: a value is required`);
  if (name.includes(':')) throw new EncryptionConfigurationError(`${path}.name must not contain a colon`);
  if (typeof secret !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(secret))
    throw new EncryptionConfigurationError(`${path}.secret must be base64-encoded`);
  const bytes = Buffer.from(secret, 'base64');
  if (!keyLengths[kind].includes(bytes.length))
    throw new EncryptionConfigurationError(
      `${path}.secret has ${bytes.length} bytes, but ${kind} needs ${keyLengths[kind].join(', ')}`,
    );
  return { name, secret: bytes };
}

/** Rejects names that never apply, because an earlier entry covers them. */
function checkMasked(entries: readonly EncryptedResources[]): void {
  const seen: string[] = [];
  for (const [index, { resources }] of entries.entries()) {
    for (const name of resources) {
      const [resource = '', ...group] = name.split('.');
      const mask = seen.find((pattern) => matchesResource(pattern, resource, group.join('.')));
      if (mask !== undefined)
        throw new EncryptionConfigurationError(
          `resources[${index}].resources: ${JSON.stringify(name)} has no effect, because ${JSON.stringify(mask)} precedes it`,
        );
    }
    seen.push(...resources);
  }
}

/** Whether a name of the configuration includes a resource. `resource` may itself be `*`. */
export function matchesResource(pattern: string, resource: string, group: string): boolean {
  if (pattern === '*.*') return true;
  if (pattern.startsWith('*.')) return group !== '*' && pattern.slice(2) === group;
  return pattern === (group === '' ? resource : `${resource}.${group}`);
}
