import type { Disposable, Timer } from '@slipway/base';
import { type Frozen, isReason, type KubeObject, timeOf } from '@slipway/kube';
import { eventTtlMs } from '../../kinds/index.js';
import { fields } from '../../kinds/shared/fields.js';
import { LoopbackClient } from '../../registry/index.js';
import type { StorageKey, StoreWatch } from '../../contract/index.js';
import {
  type ControllerDependencies,
  controllerManagerName,
  coreResources,
  placeKey,
  storageOf,
} from '../shared/index.js';

/** Minimum time between two sweeps. Deletions are batched, so that a burst of events does not need one timer each. */
const sweepMsMin = 1000;
const parallelMax = 100;

interface Pending {
  readonly key: StorageKey;
  readonly resourceVersion: string;
  /** Expiry time on the monotonic clock. */
  readonly endsAt: number;
}

/**
 * Deletes events one hour after their last write. All events have the same retention time and expire in write order, so one queue
 * with one timer for its head is enough.
 */
export class EventExpiry implements Disposable {
  readonly #dependencies: ControllerDependencies;
  readonly #client: LoopbackClient;
  readonly #queue = new Map<string, Pending>();
  #watch: StoreWatch | undefined;
  #timer: Timer | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(dependencies: ControllerDependencies) {
    this.#dependencies = dependencies;
    this.#client = new LoopbackClient(dependencies.registry, controllerManagerName);
  }

  start(): void {
    const { store, clock } = this.#dependencies;
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
    this.#queue.set(placeKey(key), { key, resourceVersion, endsAt: this.#dependencies.clock.monotonic() + leftMs });
    this.#schedule();
  }

  #schedule(): void {
    const head = this.#queue.values().next().value;
    if (this.#timer !== undefined || this.#stopped || head === undefined) return;
    const delay = Math.max(head.endsAt - this.#dependencies.clock.monotonic(), sweepMsMin);
    this.#timer = this.#dependencies.clock.setTimer(delay, () => {
      this.#sweep = this.#removeEnded().then(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    });
  }

  async #removeEnded(): Promise<void> {
    const now = this.#dependencies.clock.monotonic();
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
      // If the event was updated in the meantime, the precondition fails: the event is in the queue again with a new
      // expiry.
      await this.#client.delete(coreResources.events, key.namespace, key.name, { preconditions: { resourceVersion } });
    } catch (error) {
      if (isReason(error, 'Conflict')) return;
      this.#dependencies.logger.warn({ Event: placeKey(key), err: error }, 'Failed to delete an expired event');
      const endsAt = this.#dependencies.clock.monotonic() + sweepMsMin;
      this.#queue.set(placeKey(key), { key, resourceVersion, endsAt });
    }
  }
}

/** Returns the time of the last write, approximated by the timestamps of the event, because the store does not record it. */
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
