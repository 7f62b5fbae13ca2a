import type { ObjectStore, StoreEvent } from '@slipway/apiserver';
import { type Clock, sleep, systemClock, type VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ChangeFeed, ChangeRecord } from '@slipway/runtime';
import type { Activity } from './activity.js';

/** One change of a stored object. */
export interface ObjectEvent {
  /** Milliseconds since the simulated change. Negative for changes that were already in progress. */
  readonly atMs: number;
  readonly resource: string;
  readonly before: Frozen<KubeObject> | undefined;
  readonly after: Frozen<KubeObject> | undefined;
}

export interface Recorded {
  readonly events: readonly ObjectEvent[];
  /** Every change that the controllers made, oldest first. */
  readonly changes: readonly ChangeRecord[];
  /** All Cluster API objects at the end of the simulation. */
  readonly objects: readonly Frozen<KubeObject>[];
}

interface RecordedServer {
  readonly store: ObjectStore;
  readonly registry: { definitions(): readonly { readonly group: string; readonly plural: string }[] };
}

/** Records the changes of the Cluster API objects of a server. */
export class Recording {
  readonly #server: RecordedServer;
  readonly #clock: Clock;
  readonly #resources: readonly string[];
  readonly #events: ObjectEvent[] = [];
  readonly #changes: ChangeRecord[] = [];
  readonly #stops: (() => void | Promise<void>)[] = [];
  #changedAt = Number.POSITIVE_INFINITY;
  #progress = 0;

  constructor(server: RecordedServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    this.#resources = server.registry
      .definitions()
      .filter(({ group }) => group.includes('.x-k8s.io') || group.includes('cluster'))
      .map(({ group, plural }) => `${group}/${plural}`);
  }

  start(feed: ChangeFeed): void {
    const { store } = this.#server;
    for (const resource of this.#resources) {
      const watch = store.watch({ resource }, store.revision, (event) => this.#record(event));
      this.#stops.push(() => watch.dispose());
    }
    const subscription = feed.subscribe((record) => void this.#changes.push(record));
    this.#stops.push(() => subscription.dispose());
  }

  /** Marks the current time as the time of the simulated change. Later events have a positive time. */
  markChange(): void {
    this.#changedAt = this.#clock.now();
  }

  /** The number of changes that count as progress. */
  get progress(): number {
    return this.#progress;
  }

  get changeCount(): number {
    return this.#changes.length;
  }

  objects(): Frozen<KubeObject>[] {
    return this.#resources.flatMap((resource) => this.#server.store.list({ resource }).map(({ object }) => object));
  }

  async stop(): Promise<Recorded> {
    for (const stop of this.#stops) await stop();
    return { events: this.#events, changes: this.#changes, objects: this.objects() };
  }

  #record({ type, current, previous }: StoreEvent): void {
    const { resource } = current.key;
    const [before, after] = [previous?.object, type === 'DELETED' ? undefined : current.object];
    // Not progress: the bootstrap token of a MachinePool is renewed before it expires, as long as the MachinePool exists.
    const isRenewal = before !== undefined && after !== undefined && resource.startsWith('bootstrap.');
    if (!isRenewal) this.#progress += 1;
    this.#events.push({ atMs: this.#clock.now() - this.#changedAt, resource, before, after });
  }
}

const passMs = 10;
const pollMs = 2;

/** Advances the simulated clock until the work is done. */
export async function whileAdvancing<T>(
  clock: VirtualClock,
  activity: Pick<Activity, 'isWaiting'>,
  work: Promise<T>,
): Promise<T> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  // The caller receives the error from `ended`. This handler only prevents an unhandled rejection while the loop runs.
  ended.catch(() => undefined);
  while (!isDone) await (activity.isWaiting ? sleep(systemClock, pollMs) : clock.advance(passMs));
  return ended;
}
