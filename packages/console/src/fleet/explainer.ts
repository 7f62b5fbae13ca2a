import { type Clock, sleep } from '@slipway/base';
import { explain, type Explanation, readCluster } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';

export interface ExplainerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly onExplained: (key: string, explanation: Explanation | undefined) => void;
  /** Called when all queued clusters are explained. */
  readonly onIdle: () => void;
}

/** After each read, pause for this multiple of its duration: many unhealthy clusters must not overload the host. */
const restFactor = 4;
const restMsMin = 20;

/** Explains unhealthy clusters one after another, while the view has subscribers. */
export class Explainer {
  readonly #waiting = new Set<string>();
  readonly #stopping = new AbortController();
  #isRunning = false;

  constructor(private readonly options: ExplainerOptions) {}

  /** Whether clusters are being explained. */
  get isBusy(): boolean {
    return this.#isRunning;
  }

  /** Queues the cluster `namespace/name`. A cluster that is already queued is not added again. */
  enqueue(key: string): void {
    this.#waiting.add(key);
    if (!this.#isRunning) void this.#run();
  }

  forget(key: string): void {
    this.#waiting.delete(key);
  }

  dispose(): void {
    this.#stopping.abort();
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    const { clock, onExplained, onIdle } = this.options;
    const { signal } = this.#stopping;
    this.#isRunning = true;
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      const startedAt = clock.monotonic();
      const [namespace = '', name = ''] = key.split('/');
      const explanation = await this.#explain({ namespace, name });
      if (signal.aborted) return;
      onExplained(key, explanation);
      const restMs = Math.max((clock.monotonic() - startedAt) * restFactor, restMsMin);
      await sleep(clock, restMs, { signal }).catch(() => undefined);
    }
    this.#isRunning = false;
    if (!signal.aborted) onIdle();
  }

  async #explain(key: ObjectKey): Promise<Explanation | undefined> {
    const { client, clock } = this.options;
    try {
      const set = await readCluster(client, key, { signal: this.#stopping.signal, withoutEvents: true });
      const cluster = set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', ...key });
      return cluster && explain(set, cluster, clock.now());
    } catch {
      // The cluster was deleted, or this user may not read it. The page shows the conditions of the Cluster instead.
      return undefined;
    }
  }
}
