import { silentLogger, systemClock } from '@slipway/base';
import { type Cipher, createCipher } from './ciphers.js';
import { type EncryptedResources, matchesResource, type ProviderConfiguration } from './configuration.js';
import { type KmsDependencies, KmsProvider } from './kms/kms-provider.js';

/** The place of a value in storage. */
interface StoredPlace {
  /** `secrets`, or `apps/deployments`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A stored value cannot be decrypted: its key is missing or wrong, or the value was changed. */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';

  constructor(place: StoredPlace, problem: string) {
    super(`cannot read ${describe(place)}: ${problem}`);
  }
}

const encryptedPrefix = Buffer.from('k8s:enc:');

export function isEncrypted(value: Buffer): boolean {
  return value.length >= encryptedPrefix.length && encryptedPrefix.compare(value, 0, encryptedPrefix.length) === 0;
}

/** Returns the prefix of an encrypted value up to the key name, for messages: `k8s:enc:aescbc:v1:key1:`. */
function prefixOf(value: Buffer): string {
  return /^k8s:enc:[a-z]+:v\d:[^:]*:/.exec(value.toString('latin1', 0, prefixLengthMax))?.[0] ?? 'k8s:enc:';
}

const prefixLengthMax = 300;

interface PrefixedCipher {
  /** Empty for the identity provider. */
  readonly prefix: Buffer;
  readonly cipher: Cipher | undefined;
}

/** Encrypts values on their way to the disk, as an EncryptionConfiguration requires, in kube-apiserver's format. */
export class Encryption {
  readonly #entries: readonly { readonly resources: readonly string[]; readonly ciphers: readonly PrefixedCipher[] }[];
  readonly #byResource = new Map<string, readonly PrefixedCipher[]>();

  readonly #plugins: readonly KmsProvider[];

  constructor(configuration: readonly EncryptedResources[], dependencies: KmsDependencies = processDependencies) {
    this.#entries = configuration.map(({ resources, providers }) => ({
      resources,
      ciphers: providers.flatMap((provider) => ciphersOf(provider, dependencies)),
    }));
    this.#plugins = this.#entries.flatMap(({ ciphers }) =>
      ciphers.flatMap(({ cipher }) => (cipher instanceof KmsProvider ? [cipher] : [])),
    );
  }

  /** Whether keys come from KMS plugins. Values must then be prepared before they are decrypted. */
  get hasPlugins(): boolean {
    return this.#plugins.length > 0;
  }

  /** Connects to the KMS plugins. Throws if one of those that encrypt is not healthy. */
  async start(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.start()));
    for (const { ciphers } of this.#entries)
      if (ciphers[0]?.cipher instanceof KmsProvider) ciphers[0].cipher.checkHealth();
  }

  /** Throws if a KMS plugin is not healthy. */
  checkHealth(): void {
    for (const plugin of this.#plugins) plugin.checkHealth();
  }

  dispose(): void {
    for (const plugin of this.#plugins) plugin.dispose();
  }

  /** Identifies the key with which a KMS plugin encrypted a value. Undefined for other values, and for malformed ones. */
  keySourceOf(place: StoredPlace, value: Buffer): string | undefined {
    const found = this.#cipherOf(place, value);
    return found?.cipher instanceof KmsProvider
      ? found.cipher.sourceOf(value.subarray(found.prefix.length))
      : undefined;
  }

  /** Decrypts the key of a value at its KMS plugin, once for all values that share it. */
  async prepare(place: StoredPlace, value: Buffer): Promise<void> {
    const found = this.#cipherOf(place, value);
    if (!(found?.cipher instanceof KmsProvider)) return;
    try {
      await found.cipher.prepare(value.subarray(found.prefix.length));
    } catch (error) {
      throw new DecryptionFailed(place, error instanceof Error ? error.message : String(error));
    }
  }

  encrypt(place: StoredPlace, plain: Buffer): Buffer {
    const [first] = this.#ciphersFor(place.resource);
    if (first?.cipher === undefined) return plain;
    return Buffer.concat([first.prefix, first.cipher.encrypt(plain, contextOf(place))]);
  }

  decrypt(place: StoredPlace, value: Buffer): Buffer {
    const ciphers = this.#ciphersFor(place.resource);
    if (!isEncrypted(value)) {
      if (ciphers.length === 0 || ciphers.some(({ cipher }) => cipher === undefined)) return value;
      throw new DecryptionFailed(place, 'it is not encrypted, but the configuration has no identity provider for it');
    }
    const found = this.#cipherOf(place, value);
    if (found?.cipher === undefined)
      throw new DecryptionFailed(
        place,
        `it is encrypted with ${prefixOf(value)}, but the configuration has no such key`,
      );
    try {
      return found.cipher.decrypt(value.subarray(found.prefix.length), contextOf(place));
    } catch {
      throw new DecryptionFailed(place, `the key ${prefixOf(value)} is wrong, or the value is damaged`);
    }
  }

  #cipherOf({ resource }: StoredPlace, value: Buffer): PrefixedCipher | undefined {
    return this.#ciphersFor(resource).find(
      ({ prefix, cipher }) => cipher !== undefined && prefix.equals(value.subarray(0, prefix.length)),
    );
  }

  #ciphersFor(storageResource: string): readonly PrefixedCipher[] {
    const known = this.#byResource.get(storageResource);
    if (known !== undefined) return known;
    const slash = storageResource.lastIndexOf('/');
    const group = slash < 0 ? '' : storageResource.slice(0, slash);
    const resource = storageResource.slice(slash + 1);
    const entry = this.#entries.find(({ resources }) =>
      resources.some((pattern) => matchesResource(pattern, resource, group)),
    );
    const ciphers = entry?.ciphers ?? [];
    this.#byResource.set(storageResource, ciphers);
    return ciphers;
  }
}

const processDependencies: KmsDependencies = { clock: systemClock, logger: silentLogger };

function ciphersOf(provider: ProviderConfiguration, dependencies: KmsDependencies): PrefixedCipher[] {
  if (provider.kind === 'identity') return [{ prefix: Buffer.alloc(0), cipher: undefined }];
  if (provider.kind === 'kms') {
    const { plugin } = provider;
    return [{ prefix: Buffer.from(`k8s:enc:kms:v2:${plugin.name}:`), cipher: new KmsProvider(plugin, dependencies) }];
  }
  return provider.keys.map(({ name, secret }) => ({
    prefix: Buffer.from(`k8s:enc:${provider.kind}:v1:${name}:`),
    cipher: createCipher(provider.kind, secret),
  }));
}

/** Returns the data that is authenticated with a value: its key in storage, so that values cannot be exchanged. */
function contextOf({ resource, namespace, name }: StoredPlace): Buffer {
  return Buffer.from(`/registry/${resource}/${namespace === '' ? '' : `${namespace}/`}${name}`);
}

function describe({ resource, namespace, name }: StoredPlace): string {
  return `${resource} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
