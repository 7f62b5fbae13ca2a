import type { Clock, Random } from '@slipway/base';
import { type ChangeFeed, InformerFactory, type ObjectKey } from '@slipway/runtime';
import type { ObjectRef } from '@slipway/insight';
import { ClusterFeed } from '../cluster/cluster-feed.js';
import { ClusterSource } from '../cluster/cluster-source.js';
import type { ClosableFeed, Feed } from '../feeds/feed.js';
import { FleetFeed } from '../fleet/fleet-feed.js';
import { InfrastructureFeed } from '../infrastructure/infrastructure-feed.js';
import type { OutlookReader } from '../infrastructure/provider-outlooks.js';
import type { VCenterSession } from '../infrastructure/vcenters.js';
import { ObjectFeed } from '../object/object-feed.js';
import type { User } from '../sessions/user.js';

export interface HubOptions {
  readonly user: User;
  readonly clock: Clock;
  readonly random: Random;
  readonly vcenterSessions?: (() => readonly VCenterSession[]) | undefined;
  readonly outlookReader?: OutlookReader | undefined;
  readonly changes?: ChangeFeed | undefined;
}

/** How long a feed without subscribers is kept. Longer than a reload of the page takes, so that a reload reuses the feed. */
const lingerMs = 30_000;

/** The feeds of one session. A feed is created for its first subscriber and removed `lingerMs` after the last one. */
export class Hub {
  readonly #feeds = new Map<string, ClosableFeed>();
  readonly #sources = new Map<string, { readonly source: ClusterSource; users: number }>();
  #informers: InformerFactory | undefined;

  constructor(private readonly options: HubOptions) {}

  /**
   * Returns the feed of the fleet list. The namespace is '' for all namespaces; a user who may not list all of them selects one.
   */
  fleet(namespace: string): Feed {
    const { clock, user } = this.options;
    const make = (informers: InformerFactory): ClosableFeed =>
      new FleetFeed({ client: user.client, clock, informers, namespace });
    return this.#shared(`fleet ${namespace}`, make);
  }

  infrastructure(): Feed {
    const { clock, vcenterSessions, outlookReader, user } = this.options;
    const outlooks = outlookReader && (() => outlookReader.readLocal(user.client));
    const make = (informers: InformerFactory): ClosableFeed =>
      new InfrastructureFeed({ informers, clock, vcenterSessions, outlooks });
    return this.#shared('infrastructure', make);
  }

  cluster(key: ObjectKey): Feed {
    const { clock, user, changes } = this.options;
    return this.#shared(`cluster ${key.namespace}/${key.name}`, () =>
      this.#onSource(key, (source) => new ClusterFeed({ client: user.client, clock, key, source, changes })),
    );
  }

  /** Returns the feed of an object. `cluster` is the name of the cluster that the object belongs to, or ''. */
  object(ref: ObjectRef, cluster: string): Feed {
    const { clock, user } = this.options;
    const key = { namespace: ref.namespace, name: cluster };
    const make = (source?: ClusterSource): ClosableFeed => new ObjectFeed({ client: user.client, clock, ref, source });
    return this.#shared(`object ${JSON.stringify(ref)} ${cluster}`, () =>
      cluster === '' ? make() : this.#onSource(key, make),
    );
  }

  /** Creates a feed on a cluster source that several feeds share. The source stops when the last of them is disposed. */
  #onSource(key: ObjectKey, make: (source: ClusterSource) => ClosableFeed): ClosableFeed {
    const name = `${key.namespace}/${key.name}`;
    const { clock, user } = this.options;
    const existing = this.#sources.get(name);
    const shared = existing ?? { source: new ClusterSource({ client: user.client, clock, key }), users: 0 };
    shared.users += 1;
    this.#sources.set(name, shared);
    const feed = make(shared.source);
    const leave = (): void => {
      shared.users -= 1;
      if (shared.users > 0) return;
      this.#sources.delete(name);
      shared.source.dispose();
    };
    return {
      get subscriberCount() {
        return feed.subscriberCount;
      },
      open: (send) => feed.open(send),
      async dispose() {
        await feed.dispose();
        leave();
      },
    };
  }

  async dispose(): Promise<void> {
    for (const feed of this.#feeds.values()) await feed.dispose();
    this.#feeds.clear();
    await this.#informers?.dispose();
    this.#informers = undefined;
  }

  #shared(key: string, make: (informers: InformerFactory) => ClosableFeed): Feed {
    return {
      open: (send) => {
        const { user, clock, random } = this.options;
        this.#informers ??= new InformerFactory({ client: user.client, clock, random });
        const feed = this.#feeds.get(key) ?? make(this.#informers);
        this.#feeds.set(key, feed);
        const open = feed.open(send);
        return {
          dispose: () => {
            open.dispose();
            if (feed.subscriberCount === 0) clock.setTimer(lingerMs, () => this.#dropUnused(key, feed));
          },
        };
      },
    };
  }

  #dropUnused(key: string, feed: ClosableFeed): void {
    if (feed.subscriberCount > 0 || this.#feeds.get(key) !== feed) return;
    this.#feeds.delete(key);
    void feed.dispose();
    if (this.#feeds.size > 0) return;
    const informers = this.#informers;
    this.#informers = undefined;
    void informers?.dispose();
  }
}
