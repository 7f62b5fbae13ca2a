import type { Clock, Random } from '@slipway/base';
import { type ChangeFeed, InformerFactory, type ObjectKey } from '@slipway/runtime';
import type { ObjectRef } from '@slipway/insight';
import { ClusterFeed } from '../cluster/cluster-feed.js';
import { ClusterSource } from '../cluster/cluster-source.js';
import type { ClosableFeed, Feed } from '../feeds/feed.js';
import { FleetFeed } from '../fleet/fleet-feed.js';
import { InfrastructureFeed } from '../infrastructure/infrastructure-feed.js';
import type { OutlookDesk } from '../infrastructure/provider-outlooks.js';
import type { VCenterSession } from '../infrastructure/vcenters.js';
import { ObjectFeed } from '../object/object-feed.js';
import type { Person } from '../sessions/person.js';

export interface HubOptions {
  readonly person: Person;
  readonly clock: Clock;
  readonly random: Random;
  readonly vcenterSessions?: (() => readonly VCenterSession[]) | undefined;
  readonly desk?: OutlookDesk | undefined;
  readonly changes?: ChangeFeed | undefined;
}

/** A page that is loaded again comes back before this. */
const lingerMs = 30_000;

/** The views that one person looks at: each is made when he looks at it, and goes a while after he has looked away. */
export class Hub {
  readonly #feeds = new Map<string, ClosableFeed>();
  readonly #sources = new Map<string, { readonly source: ClusterSource; users: number }>();
  #informers: InformerFactory | undefined;

  constructor(private readonly options: HubOptions) {}

  /** Of one namespace for who may not see all. */
  fleet(namespace: string): Feed {
    const { clock, person } = this.options;
    const make = (informers: InformerFactory): ClosableFeed =>
      new FleetFeed({ client: person.client, clock, informers, namespace });
    return this.#shared(`fleet ${namespace}`, make);
  }

  infrastructure(): Feed {
    const { clock, vcenterSessions, desk, person } = this.options;
    const outlooks = desk && (() => desk.known(person.client));
    const make = (informers: InformerFactory): ClosableFeed =>
      new InfrastructureFeed({ informers, clock, vcenterSessions, outlooks });
    return this.#shared('infrastructure', make);
  }

  cluster(key: ObjectKey): Feed {
    const { clock, person, changes } = this.options;
    return this.#shared(`cluster ${key.namespace}/${key.name}`, () =>
      this.#onSource(key, (source) => new ClusterFeed({ client: person.client, clock, key, source, changes })),
    );
  }

  /** `cluster` is the name of the one that it belongs to, if any. */
  object(ref: ObjectRef, cluster: string): Feed {
    const { clock, person } = this.options;
    const key = { namespace: ref.namespace, name: cluster };
    const make = (source?: ClusterSource): ClosableFeed =>
      new ObjectFeed({ client: person.client, clock, ref, source });
    return this.#shared(`object ${JSON.stringify(ref)} ${cluster}`, () =>
      cluster === '' ? make() : this.#onSource(key, make),
    );
  }

  /** A feed on what others may look at, too: who leaves last turns it off. */
  #onSource(key: ObjectKey, make: (source: ClusterSource) => ClosableFeed): ClosableFeed {
    const name = `${key.namespace}/${key.name}`;
    const { clock, person } = this.options;
    const known = this.#sources.get(name);
    const shared = known ?? { source: new ClusterSource({ client: person.client, clock, key }), users: 0 };
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
      get viewers() {
        return feed.viewers;
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
        const { person, clock, random } = this.options;
        this.#informers ??= new InformerFactory({ client: person.client, clock, random });
        const feed = this.#feeds.get(key) ?? make(this.#informers);
        this.#feeds.set(key, feed);
        const open = feed.open(send);
        return {
          dispose: () => {
            open.dispose();
            if (feed.viewers === 0) clock.setTimer(lingerMs, () => this.#dropUnused(key, feed));
          },
        };
      },
    };
  }

  #dropUnused(key: string, feed: ClosableFeed): void {
    if (feed.viewers > 0 || this.#feeds.get(key) !== feed) return;
    this.#feeds.delete(key);
    void feed.dispose();
    if (this.#feeds.size > 0) return;
    const informers = this.#informers;
    this.#informers = undefined;
    void informers?.dispose();
  }
}
