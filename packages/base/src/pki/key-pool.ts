import { generatePrivateKey, type KeyAlgorithm, type PrivateKey } from './keys.js';

/** Where certificates get their keys from. */
export interface KeySource {
  next(algorithm: KeyAlgorithm): Promise<PrivateKey>;
}

export interface KeyPoolOptions {
  /** How many RSA keys stand ready. An EC key costs a millisecond and is never kept. */
  readonly size?: number;
  readonly generate?: (algorithm: KeyAlgorithm) => Promise<PrivateKey>;
}

/**
 * Hands out RSA keys that were made beforehand. The first call starts filling; one key at a time is generated, because each
 * occupies a thread that file and DNS work shares.
 */
export class KeyPool implements KeySource {
  readonly #ready: PrivateKey[] = [];
  readonly #size: number;
  readonly #generate: (algorithm: KeyAlgorithm) => Promise<PrivateKey>;
  #filling: Promise<void> | undefined;
  #closed = false;

  constructor(options: KeyPoolOptions = {}) {
    this.#size = options.size ?? 2;
    this.#generate = options.generate ?? generatePrivateKey;
  }

  async next(algorithm: KeyAlgorithm): Promise<PrivateKey> {
    if (algorithm === 'ECDSA') return this.#generate(algorithm);
    const key = this.#ready.shift() ?? (await this.#generate(algorithm));
    this.#filling ??= this.#fill();
    return key;
  }

  /** The keys that stand ready now. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Resolves when the pool is not generating. */
  async settled(): Promise<void> {
    await this.#filling;
  }

  dispose(): void {
    this.#closed = true;
    this.#ready.length = 0;
  }

  async #fill(): Promise<void> {
    try {
      while (!this.#closed && this.#ready.length < this.#size) {
        const key = await this.#generate('RSA');
        if (!this.#closed) this.#ready.push(key);
      }
    } catch {
      // A failed refill costs nothing but the head start: the next caller generates for itself and sees the error.
    } finally {
      this.#filling = undefined;
    }
  }
}
