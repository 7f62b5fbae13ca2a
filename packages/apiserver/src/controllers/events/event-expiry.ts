import type { Disposable, Timer } from '@slipway/base';
import { type Frozen, isReason, type KubeObject, timeOf } from '@slipway/kube';
import { eventTtlMs } from '../../kinds/index.js';
import { fields } from '../../kinds/shared/fields.js';
import { LoopbackClient } from '../../registry/index.js';
import type { StorageKey, StoreWatch } from '../../contract/index.js';
import { type ControllerWorld, controllerManagerName, coreResources, placeKey, storageOf } from '../shared/index.js';

/** Deletions come in sweeps, so that a burst of events costs a burst of deletions and not a timer each. */
const sweepMsMin = 1000;
const parallelMax = 100;

interface Pending {
  readonly key: StorageKey;
  readonly resourceVersion: string;
  /** On the monotonic clock. */
  readonly endsAt: number;
}

/**
 * Deletes events an hour after they were last written. All live equally long, so that the order of writing is the order of
 * ending: one queue, one timer for its head.
 */
export class EventExpiry implements Disposable {
  readonly #world: ControllerWorld;
  readonly #client: LoopbackClient;
  readonly #queue = new Map<string, Pending>();
  #watch: StoreWatch | undefined;
  #timer: Timer | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(world: ControllerWorld) {
    this.#world = world;
    this.#client = new LoopbackClient(world.registry, controllerManagerName);
  }

  start(): void {
    const { store, clock } = this.#world;
    const resource = storageOf(coreResources.events);
    const age = (event: Frozen<KubeObject>): number => Math.max(0, clock.now() - lastWritten(event, clock.now()));
    const known = store.list({ resource }).map(({ key, object }) => ({ key, object, age: age(object) }));
    known.sort((left, right) => right.age - left.age);
    for (const { key, object, age: ageMs } of known) this.#enqueue(key, object, eventTtlMs - ageMs);
    this.#watch = store.watch({ resource }, store.revision, ({ type, current }) => {
      this.#queue.delete(placeKey(current.key));
      if (type !== 'DELETED') this.#enqueue(current.key, current.object, eventTtlMs);
    });
    this.#schedule();
  }

  async dispose(): Promise<void> {
    this.#stopped = true;
    this.#watch?.dispose();
    this.#timer?.cancel();
    await this.#sweep;
  }

  #enqueue(key: StorageKey, event: Frozen<KubeObject>, leftMs: number): void {
    const { resourceVersion = '' } = event.metadata;
    this.#queue.set(placeKey(key), { key, resourceVersion, endsAt: this.#world.clock.monotonic() + leftMs });
    this.#schedule();
  }

  #schedule(): void {
    const head = this.#queue.values().next().value;
    if (this.#timer !== undefined || this.#stopped || head === undefined) return;
    const delay = Math.max(head.endsAt - this.#world.clock.monotonic(), sweepMsMin);
    this.#timer = this.#world.clock.setTimer(delay, () => {
      this.#sweep = this.#removeEnded().then(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    });
  }

  async #removeEnded(): Promise<void> {
    const now = this.#world.clock.monotonic();
    const ended: Pending[] = [];
    for (const [place, pending] of this.#queue) {
      if (pending.endsAt > now || ended.length >= parallelMax) break;
      this.#queue.delete(place);
      ended.push(pending);
    }
    await Promise.all(ended.map((pending) => this.#remove(pending)));
    if (ended.length === parallelMax && !this.#stopped) await this.#removeEnded();
  }

  async #remove({ key, resourceVersion }: Pending): Promise<void> {
    try {
      // An event that was written again meanwhile begins a new life, and is in the queue again.
      await this.#client.delete(coreResources.events, key.namespace, key.name, { preconditions: { resourceVersion } });
    } catch (error) {
      if (isReason(error, 'Conflict')) return;
      this.#world.logger.warn({ Event: placeKey(key), err: error }, 'Deleting an expired event failed');
      const endsAt = this.#world.clock.monotonic() + sweepMsMin;
      this.#queue.set(placeKey(key), { key, resourceVersion, endsAt });
    }
  }
}

/** The store does not say when; the event does, more or less. */
function lastWritten(event: Frozen<KubeObject>, now: number): number {
  const times = [
    event.metadata.creationTimestamp,
    event['eventTime'],
    event['lastTimestamp'],
    fields(event['series'])['lastObservedTime'],
  ];
  const known = times.map(timeOf).filter((time) => time !== undefined);
  return known.length === 0 ? now : Math.max(...known);
}
