import { Worker } from 'node:worker_threads';
import { type Disposable, type Scope } from '@slipway/base';
import { generatePrivateKey, type KeyAlgorithm, KeyPool, type PrivateKey } from '@slipway/pki';

/** Number of keys to generate in advance: as many as one cluster needs. */
const readyCount = 5;

/** Generates keys for the clusters of this process until it is disposed. */
export function openKeys(scope: Scope): KeyPool {
  const threaded = scope.add(new ThreadedKeys());
  const keys = scope.add(new KeyPool({ size: readyCount, generate: (algorithm) => threaded.generate(algorithm) }));
  keys.prepare();
  return keys;
}

interface Waiter {
  resolve(key: PrivateKey): void;
  reject(error: unknown): void;
}

/** Generates RSA keys on a separate thread: each takes 25 ms of CPU, and a cluster needs five. */
class ThreadedKeys implements Disposable {
  readonly #waiting: Waiter[] = [];
  #worker: Worker | undefined;

  async generate(algorithm: KeyAlgorithm): Promise<PrivateKey> {
    if (algorithm !== 'RSA') return generatePrivateKey(algorithm);
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.postMessage(algorithm);
    });
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./key-thread.mjs', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    worker.on('message', (key: PrivateKey) => this.#waiting.shift()?.resolve(key));
    worker.on('error', (error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('the key generation thread exited')));
    // The thread must not delay the exit of the process.
    worker.unref();
    return worker;
  }

  /** Rejects pending requests after the thread ended. The next request starts another thread. */
  #end(worker: Worker, reason: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(reason);
  }
}
