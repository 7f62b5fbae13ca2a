import { availableParallelism } from 'node:os';
import { generatePrivateKey, type KeyAlgorithm, type PrivateKey } from './keys.js';

/** Where certificates get their keys from. */
export interface KeySource {
  /** Whoever gives up before a key is there, by `signal`, leaves it to the next in the line. */
  next(algorithm: KeyAlgorithm, signal?: AbortSignal): Promise<PrivateKey>;
}

export interface KeyPoolOptions {
  /** How many RSA keys stand ready. An EC key costs a millisecond and is never kept. */
  readonly size?: number;
  /** How many RSA keys are made at a time. */
  readonly parallel?: number;
  readonly generate?: (algorithm: KeyAlgorithm) => Promise<PrivateKey>;
}

interface Waiter {
  resolve(key: PrivateKey): void;
  reject(error: unknown): void;
}

/**
 * Hands out RSA keys, some of which were made beforehand. Those who wait are served in turn. Few are made at a time: each
 * occupies a core, and with more of them everybody would only wait longer.
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
    const wanted = this.#ready.shift() ?? this.#wait(signal);
    this.prepare();
    return wanted;
  }

  /** Begins to make the keys that are to stand ready. */
  prepare(): void {
    while (!this.#closed && this.#making < this.#parallel && this.#isShort()) {
      this.#making += 1;
      void this.#make();
    }
  }

  /** The keys that stand ready now. */
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
      // A failed refill costs nothing but the head start; whoever waits sees the error.
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
    else for (const tell of this.#onIdle.splice(0)) tell();
  }
}
