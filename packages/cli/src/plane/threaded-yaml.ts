import { Worker } from 'node:worker_threads';
import type { ParseLargeYaml } from '@slipway/apiserver';
import type { Disposable, Scope } from '@slipway/base';

type Parsed = Awaited<ReturnType<ParseLargeYaml>>;

interface Job {
  readonly bytes: Uint8Array;
  resolve(parsed: Parsed): void;
  reject(error: Error): void;
}

type Answer = { readonly parsed: Parsed } | { readonly problem: string };

/** Limits of the thread. The parser needs about 150 bytes of memory for each byte of YAML. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

/** Returns a parser of large YAML bodies that runs on a separate thread, until the scope is disposed. */
export function openYamlParser(scope: Scope): ParseLargeYaml {
  const threaded = scope.add(new ThreadedYaml());
  return (user, bytes) => threaded.parse(user, bytes);
}

/**
 * Parses YAML on a separate thread, one body of each user in turn: half a megabyte takes a second of CPU, during which
 * the main thread could not serve requests.
 */
class ThreadedYaml implements Disposable {
  readonly #waiting = new Map<string, Job[]>();
  #active: Job | undefined;
  #worker: Worker | undefined;
  #isDisposed = false;

  parse(user: string, bytes: Uint8Array): Promise<Parsed> {
    return new Promise((resolve, reject) => {
      const jobs = this.#waiting.get(user) ?? [];
      jobs.push({ bytes, resolve, reject });
      this.#waiting.set(user, jobs);
      if (this.#active === undefined) this.#next();
    });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#worker?.terminate();
  }

  #next(): void {
    this.#active = undefined;
    const [first] = this.#waiting;
    if (first === undefined || this.#isDisposed) return;
    const [user, jobs] = first;
    // Move the user to the end: `Map` keeps the order of insertion.
    this.#waiting.delete(user);
    this.#active = jobs.shift();
    if (jobs.length > 0) this.#waiting.set(user, jobs);
    const worker = (this.#worker ??= this.#start());
    worker.postMessage(this.#active?.bytes);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-thread.mjs', import.meta.url), { resourceLimits });
    worker.on('message', (answer: Answer) => {
      const job = this.#active;
      if ('parsed' in answer) job?.resolve(answer.parsed);
      else job?.reject(new Error(answer.problem));
      this.#next();
    });
    worker.on('error', (error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('the YAML parser exited')));
    // The thread must not delay the exit of the process.
    worker.unref();
    return worker;
  }

  /** Rejects the current body after the thread ended: usually it needed too much memory. The next body starts another thread. */
  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const isTooComplex = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#active?.reject(isTooComplex ? new Error('the YAML is too complex: send JSON instead') : error);
    this.#next();
  }
}
