import type { Clock, Random } from '@slipway/base';
import { InformerFactory } from '@slipway/runtime';
import { FleetFeed } from '../fleet/fleet-feed.js';
import type { Person } from '../sessions/person.js';
import type { ClosableFeed, Feed } from './feed.js';

export interface HubOptions {
  readonly person: Person;
  readonly clock: Clock;
  readonly random: Random;
}

/** A page that is loaded again comes back before this. */
const lingerMs = 30_000;

/** The views that one person looks at: each is made when he looks at it, and goes a while after he has looked away. */
export class Hub {
  readonly #feeds = new Map<string, ClosableFeed>();
  #informers: InformerFactory | undefined;

  constructor(private readonly options: HubOptions) {}

  fleet(): Feed {
    return this.#shared(
      'fleet',
      (informers) => new FleetFeed({ ...this.options, client: this.options.person.client, informers }),
    );
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
