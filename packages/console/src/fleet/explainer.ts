import { type Clock, sleep } from '@slipway/base';
import { explain, type Explanation, readCluster } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';

export interface ExplainerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly onExplained: (key: string, explanation: Explanation | undefined) => void;
  /** Called when the last requested explanation is complete. */
  readonly onIdle: () => void;
}

/** After each reading it rests this many times as long as that took: a fleet in trouble must not take the machine down. */
const restFactor = 4;
const restMsMin = 20;

/** Explains unhealthy clusters in sequence, while the view has subscribers. */
export class Explainer {
  readonly #waiting = new Set<string>();
  readonly #stopping = new AbortController();
  #isRunning = false;

  constructor(private readonly options: ExplainerOptions) {}

  /** Whether an explanation is pending. */
  get isBusy(): boolean {
    return this.#isRunning;
  }

  /** `namespace/name`; asked twice before its turn, it is answered once. */
  ask(key: string): void {
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
      // Gone meanwhile, or not to be read by this person: what the cluster says itself has to do.
      return undefined;
    }
  }
}
