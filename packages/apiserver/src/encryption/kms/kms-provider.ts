import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Disposable, Logger } from '@slipway/base';
import { type Cipher, createCipher } from '../ciphers.js';
import {
  checkWrappedKey,
  decodeObject,
  encodeObject,
  type EncryptedObject,
  sourceIdOf,
  sourceTypes,
} from './encrypted-object.js';
import { KmsClient } from './kms-client.js';

export interface KmsConfiguration {
  readonly name: string;
  readonly socketPath: string;
  readonly timeoutMs: number;
}

export interface KmsDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A KMS plugin cannot be used: it does not respond, is not healthy, or cannot decrypt a key. */
export class KmsUnavailable extends Error {
  override readonly name = 'KmsUnavailable';

  constructor(plugin: string, problem: string, options?: ErrorOptions) {
    super(`KMS plugin ${plugin}: ${problem}`, options);
  }
}

/** The intervals of kube-apiserver. */
const healthyPollMs = 60_000;
const unhealthyPollMs = 10_000;

const seedLength = 32;
const infoLength = 32;

interface WriteKey {
  readonly seed: Buffer;
  /** All but the data, which every value adds. */
  readonly source: Omit<EncryptedObject, 'data'>;
}

/**
 * Encrypts with a seed that a KMS plugin encrypts. Every value has its own AES key, derived from the seed and 32 random bytes. A new
 * seed is generated at every start, and when the plugin reports another key ID.
 */
export class KmsProvider implements Cipher, Disposable {
  readonly #client: KmsClient;
  /** Decrypted keys by the ID of their source. */
  readonly #keys = new Map<string, Buffer>();
  #write: WriteKey | undefined;
  #statusKeyId = '';
  #problem: string | undefined = 'the plugin was not asked yet';
  #timer: { cancel(): void } | undefined;
  #isDisposed = false;

  constructor(
    readonly configuration: KmsConfiguration,
    private readonly dependencies: KmsDependencies,
  ) {
    this.#client = new KmsClient(configuration.socketPath, configuration.timeoutMs, dependencies.clock);
  }

  /** Asks the plugin for its status, and again every minute. Never rejects: see `checkHealth`. */
  async start(): Promise<void> {
    await this.#poll();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
  }

  /** Throws why the plugin cannot be used. */
  checkHealth(): void {
    if (this.#problem !== undefined) throw new KmsUnavailable(this.configuration.name, this.#problem);
  }

  encrypt(plain: Buffer, context: Buffer): Buffer {
    if (this.#write === undefined)
      throw new KmsUnavailable(this.configuration.name, this.#problem ?? 'no key was generated');
    const { seed, source } = this.#write;
    const info = randomBytes(infoLength);
    const data = Buffer.concat([info, derivedCipher(seed, info).encrypt(plain, context)]);
    return encodeObject({ ...source, data });
  }

  /** Decrypts a value whose key was decrypted before, by `prepare`. */
  decrypt(value: Buffer, context: Buffer): Buffer {
    const object = decodeObject(value);
    const key = this.#keys.get(sourceIdOf(object));
    if (key === undefined) throw new Error('the key was not decrypted');
    if (object.sourceType === sourceTypes.key) return createCipher('aesgcm', key).decrypt(object.data, context);
    if (object.data.length < infoLength) throw new Error('the stored data was shorter than the required size');
    const info = object.data.subarray(0, infoLength);
    return derivedCipher(key, info).decrypt(object.data.subarray(infoLength), context);
  }

  /** Identifies the key of a value. Undefined for a malformed value, which `decrypt` rejects. */
  sourceOf(value: Buffer): string | undefined {
    try {
      return `${this.configuration.name} ${sourceIdOf(decodeObject(value))}`;
    } catch {
      return undefined;
    }
  }

  /** Decrypts the key of a value, unless it is known. */
  async prepare(value: Buffer): Promise<void> {
    const object = decodeObject(value);
    const id = sourceIdOf(object);
    if (this.#keys.has(id)) return;
    try {
      this.#keys.set(id, await this.#client.decrypt(object, randomUUID()));
    } catch (error) {
      const problem = `cannot decrypt the key with the ID ${JSON.stringify(object.keyId)}: ${textOf(error)}`;
      throw new KmsUnavailable(this.configuration.name, problem, { cause: error });
    }
  }

  async #poll(): Promise<void> {
    const { clock, logger } = this.dependencies;
    const before = this.#problem;
    try {
      await this.#refresh();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = textOf(error);
      if (before !== this.#problem)
        logger.error({ plugin: this.configuration.name, err: error }, 'KMS plugin is not healthy');
    }
    if (this.#isDisposed) return;
    const pause = this.#problem === undefined ? healthyPollMs : unhealthyPollMs;
    this.#timer = clock.setTimer(pause, () => void this.#poll());
  }

  async #refresh(): Promise<void> {
    const { version, health, keyId } = await this.#client.status();
    if (version !== 'v2' && version !== 'v2beta1') throw new Error(`unexpected version ${JSON.stringify(version)}`);
    if (health !== 'ok') throw new Error(`the plugin reports ${JSON.stringify(health)}`);
    if (keyId === '') throw new Error('the plugin reports no key ID');
    if (this.#write !== undefined && this.#statusKeyId === keyId) return;
    const seed = randomBytes(seedLength);
    const wrapped = await this.#client.encrypt(seed, randomUUID());
    checkWrappedKey(wrapped);
    if (wrapped.keyId !== keyId)
      throw new Error(
        `the plugin encrypts with the key ID ${JSON.stringify(wrapped.keyId)}, but reports ${JSON.stringify(keyId)}`,
      );
    const source = { ...wrapped, sourceType: sourceTypes.seed };
    this.#keys.set(sourceIdOf({ ...source, data: Buffer.alloc(0) }), seed);
    this.#write = { seed, source };
    this.#statusKeyId = keyId;
    this.dependencies.logger.info(
      { plugin: this.configuration.name, keyId },
      'Encrypting with a new key of the KMS plugin',
    );
  }
}

/** Expands the seed to an AES-256 key with HKDF-SHA256 (RFC 5869, section 2.3). One block of it is the whole key. */
function derivedCipher(seed: Buffer, info: Buffer): Cipher {
  return createCipher(
    'aesgcm',
    createHmac('sha256', seed)
      .update(info)
      .update(Buffer.from([1]))
      .digest(),
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
