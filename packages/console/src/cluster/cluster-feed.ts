import type { Clock } from '@slipway/base';
import { type ObjectSet, type Observed, readHistory } from '@slipway/insight';
import type { ChangeFeed, Client, ObjectKey } from '@slipway/runtime';
import type { ClosableFeed } from '../feeds/feed.js';
import { ValueFeed } from '../feeds/value-feed.js';
import type { ClusterView } from '../model/cluster.js';
import { CertificateReader } from './certificates.js';
import { clusterView } from './cluster-view.js';
import type { ClusterSource } from './cluster-source.js';

export interface ClusterFeedOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly key: ObjectKey;
  readonly source: ClusterSource;
  readonly changes?: ChangeFeed | undefined;
}

/**
 * Maximum number of earlier object states to keep. The timeline needs only the first time at which each condition became true.
 */
const statesMax = 3_000;

/** The live view of one cluster. */
export class ClusterFeed implements ClosableFeed {
  readonly #value: ValueFeed<ClusterView>;
  readonly #certificates = new CertificateReader();
  readonly #seen = new Map<string, string>();
  readonly #listening: { dispose(): void };
  #history: Observed[] | undefined;

  constructor(private readonly options: ClusterFeedOptions) {
    this.#value = new ValueFeed(options.clock);
    const { key, source } = options;
    this.#listening = source.add({
      changed: (set, cluster) => this.#changed(set, cluster),
      gone: () => this.#gone(`Cluster ${key.name} not found in namespace ${key.namespace}.`),
      lost: (why) => this.#value.lose(why),
    });
  }

  get subscriberCount(): number {
    return this.#value.subscriberCount;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    return this.#value.open(send);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#value.dispose();
  }

  async #changed(set: ObjectSet, cluster: Observed): Promise<void> {
    const { client, clock, key, source, changes: feed } = this.options;
    this.#history ??= [...(await readHistory(client, key, clock, source.signal))];
    this.#remember(set);
    const certificates = await this.#certificates.read(client, set, cluster, source.signal);
    // Read the change feed here instead of subscribing to it: each change also triggers a watch event, and its record
    // is in the feed before the event arrives.
    const changes = feed?.recent();
    const parts = { set, cluster, history: this.#history, certificates, changes, nowMs: clock.now() };
    this.#value.set(clusterView(parts));
  }

  #remember(set: ObjectSet): void {
    const history = this.#history ?? [];
    for (const object of set.objects) {
      const { uid = '', resourceVersion = '' } = object.metadata;
      if (this.#seen.get(uid) === resourceVersion) continue;
      this.#seen.set(uid, resourceVersion);
      history.push(object);
    }
    if (history.length > statesMax) history.splice(0, history.length - statesMax);
  }

  /** Discards the history: a Cluster that is re-created with the same name is another object. */
  #gone(why: string): void {
    this.#history = undefined;
    this.#seen.clear();
    this.#value.end(why);
  }
}
