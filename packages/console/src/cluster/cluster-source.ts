import { type Clock, sleep } from '@slipway/base';
import { NotFoundError, type ObjectSet, type Observed, watchCluster } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';

export interface SourceListener {
  /** Called with the cluster and all of its objects whenever one of them has changed. */
  changed(set: ObjectSet, cluster: Observed): void | Promise<void>;
  gone(): void;
  lost(why: string): void;
}

export interface ClusterSourceOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly key: ObjectKey;
}

const retryMs = 2_000;

/** Watches one cluster for all feeds that show it or one of its objects. The Cluster may be deleted and re-created. */
export class ClusterSource {
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<SourceListener>();
  #last: { readonly set: ObjectSet; readonly cluster: Observed } | undefined;

  constructor(private readonly options: ClusterSourceOptions) {
    void this.#run();
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  add(listener: SourceListener): { dispose(): void } {
    this.#listeners.add(listener);
    if (this.#last !== undefined) void listener.changed(this.#last.set, this.#last.cluster);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  dispose(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { clock } = this.options;
    while (!this.signal.aborted) {
      try {
        await this.#follow();
        if (this.signal.aborted) return;
        this.#last = undefined;
        for (const listener of this.#listeners) listener.gone();
      } catch (error) {
        if (this.signal.aborted) return;
        for (const listener of this.#listeners) listener.lost(error instanceof Error ? error.message : String(error));
      }
      // Poll until the cluster or the server is back. A poll every two seconds costs one request.
      await sleep(clock, retryMs, { signal: this.signal }).catch(() => undefined);
    }
  }

  async #follow(): Promise<void> {
    const { client, clock, key } = this.options;
    for await (const set of watchCluster(client, key, { clock, signal: this.signal })) {
      const cluster = set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', ...key });
      if (cluster === undefined) throw new NotFoundError(`Cluster ${key.name} not found`);
      this.#last = { set, cluster };
      for (const listener of this.#listeners) await listener.changed(set, cluster);
    }
  }
}
