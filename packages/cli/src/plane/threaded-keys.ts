import { Worker } from 'node:worker_threads';
import {
  type Disposable,
  generatePrivateKey,
  type KeyAlgorithm,
  KeyPool,
  type PrivateKey,
  type Scope,
} from '@slipway/base';

/** As many as a cluster takes: the first one need not wait for them. */
const readyCount = 5;

/** Keys for the clusters of this process, until the scope ends. */
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

/** Makes RSA keys on a thread of its own: one occupies a core for 25 ms, and a cluster needs five. */
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
    worker.on('exit', () => this.#end(worker, new Error('the thread that makes keys has ended')));
    // Nobody's exit waits for a key.
    worker.unref();
    return worker;
  }

  /** The next one who asks starts another thread. */
  #end(worker: Worker, reason: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(reason);
  }
}
