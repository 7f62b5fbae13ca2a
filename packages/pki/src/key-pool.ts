import { availableParallelism } from 'node:os';
import { generatePrivateKey, type KeyAlgorithm, type PrivateKey } from './keys.js';

/** Generates or provides private keys for certificates. */
export interface KeySource {
  /** Returns a new key. If `signal` aborts, the call rejects and its key goes to the next waiting caller. */
  next(algorithm: KeyAlgorithm, signal?: AbortSignal): Promise<PrivateKey>;
}

export interface KeyPoolOptions {
  /** How many RSA keys to keep ready. EC keys are generated in a millisecond and are never pooled. */
  readonly size?: number;
  /** How many RSA keys to generate concurrently. */
  readonly parallel?: number;
  readonly generate?: (algorithm: KeyAlgorithm) => Promise<PrivateKey>;
}

interface Waiter {
  resolve(key: PrivateKey): void;
  reject(error: unknown): void;
}

/**
 * Returns RSA keys, some of them generated in advance. Callers that wait are served in order. Few keys are generated
 * concurrently: each one occupies a core, so that more of them would only delay every caller.
 */
export class KeyPool implements KeySource {
  readonly #ready: PrivateKey[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #size: number;
  readonly #parallel: number;
  readonly #generate: (algorithm: KeyAlgorithm) => Promise<PrivateKey>;
  #making = 0;
  #onIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: KeyPoolOptions = {}) {
    this.#size = options.size ?? 2;
    this.#parallel = options.parallel ?? Math.min(2, availableParallelism());
    this.#generate = options.generate ?? generatePrivateKey;
  }

  async next(algorithm: KeyAlgorithm, signal?: AbortSignal): Promise<PrivateKey> {
    if (algorithm === 'ECDSA') return this.#generate(algorithm);
    signal?.throwIfAborted();
    const next = this.#ready.shift() ?? this.#wait(signal);
    this.prepare();
    return next;
  }

  /** Starts to generate keys until the pool is full. */
  prepare(): void {
    while (!this.#closed && this.#making < this.#parallel && this.#isShort()) {
      this.#making += 1;
      void this.#make();
    }
  }

  /** The number of keys that are ready. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Resolves when the pool is not generating. */
  async settled(): Promise<void> {
    if (this.#making > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  dispose(): void {
    this.#closed = true;
    this.#ready.length = 0;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(new Error('the key pool is closed'));
  }

  #wait(signal: AbortSignal | undefined): Promise<PrivateKey> {
    let leave = (): void => undefined;
    const key = new Promise<PrivateKey>((resolve, reject) => {
      const waiter = { resolve, reject };
      this.#waiting.push(waiter);
      leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason as Error);
      };
    });
    signal?.addEventListener('abort', leave, { once: true });
    return key.finally(() => signal?.removeEventListener('abort', leave));
  }

  #isShort(): boolean {
    return this.#making < this.#waiting.length + this.#size - this.#ready.length;
  }

  async #make(): Promise<void> {
    try {
      this.#deliver(await this.#generate('RSA'));
    } catch (error) {
      // If a caller waits for a key, it gets the error. Otherwise only the refill of the pool fails.
      this.#waiting.shift()?.reject(error);
      this.#making -= 1;
      this.#rest();
      return;
    }
    this.#making -= 1;
    this.prepare();
    this.#rest();
  }

  #deliver(key: PrivateKey): void {
    const waiter = this.#waiting.shift();
    if (waiter !== undefined) waiter.resolve(key);
    else if (!this.#closed) this.#ready.push(key);
  }

  #rest(): void {
    if (this.#making > 0) return;
    if (this.#waiting.length > 0) this.prepare();
    else for (const notify of this.#onIdle.splice(0)) notify();
  }
}
