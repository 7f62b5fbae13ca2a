import type { Clock, Random, Timer } from '@slipway/base';
import { backOffDefault, backOffMs, type BackOffOptions } from './back-off.js';
import { type Delayed, DelayHeap } from './delay-heap.js';
import { type QueueMetrics, silentQueueMetrics } from './queue-metrics.js';
import { type BucketItem, ReadyBuckets } from './ready-buckets.js';

/** Priority of changes. It is higher than that of keys from a list or a resync, as in controller-runtime. */
export const priorityFresh = 0;
export const priorityResync = -100;

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backOff?: Partial<BackOffOptions>;
  /** Maximum number of distinct keys in any state. Further keys are dropped; `onDrained` is called when there is room again. */
  readonly depthMax?: number;
  readonly metrics?: QueueMetrics;
}

export interface AddOptions {
  readonly priority?: number;
  readonly afterMs?: number;
}

export interface QueuedItem {
  readonly key: string;
  readonly state: 'ready' | 'delayed' | 'processing';
  readonly priority: number;
  readonly failures: number;
  /** Milliseconds in the current state. Delayed items have `readyInMs` as well. */
  readonly forMs: number;
  readonly readyInMs?: number;
}

interface Entry extends BucketItem, Delayed {
  readonly key: string;
  priority: number;
  since: number;
  processing: boolean;
  /** Set if the key was added again while it is being processed. */
  again: { priority: number; readyAt: number } | undefined;
}

const depthMaxDefault = 100_000;

/**
 * A queue of keys to reconcile. A key is queued once however often it is added. A key that is being processed is not handed out
 * again: if it is added in that time, it is queued after `done`.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #backOff: BackOffOptions;
  readonly #depthMax: number;
  readonly #metrics: QueueMetrics;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new ReadyBuckets<Entry>();
  readonly #delayed = new DelayHeap<Entry>();
  readonly #failures = new Map<string, number>();
  #processing = 0;
  #timer: { readonly timer: Timer; readonly at: number } | undefined;
  #overflowed = false;
  #closed = false;
  #onReady: () => void = () => undefined;
  #onDrained: () => void = () => undefined;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#backOff = { ...backOffDefault, ...options.backOff };
    this.#depthMax = options.depthMax ?? depthMaxDefault;
    this.#metrics = options.metrics ?? silentQueueMetrics;
  }

  /**
   * Sets the listeners. `onReady` is called when a key can be taken, `onDrained` when there is room again after keys were
   * dropped.
   */
  listen(listeners: { readonly onReady: () => void; readonly onDrained?: () => void }): void {
    this.#onReady = listeners.onReady;
    this.#onDrained = listeners.onDrained ?? this.#onDrained;
  }

  /** Number of keys that are ready to be taken. */
  get depth(): number {
    return this.#ready.size;
  }

  get processing(): number {
    return this.#processing;
  }

  /** Adds a key. Returns false if the key was dropped because the queue is full or closed. */
  add(key: string, options: AddOptions = {}): boolean {
    if (this.#closed) return false;
    const priority = options.priority ?? priorityFresh;
    const readyAt = this.#clock.monotonic() + Math.max(options.afterMs ?? 0, 0);
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#insert(key, priority, readyAt);
    if (entry.processing) entry.again = merged(entry.again, priority, readyAt);
    else this.#improve(entry, priority, readyAt);
    return true;
  }

  /** Adds the key after a back-off, which doubles with each call until `forget`. Returns the delay. */
  addRateLimited(key: string, options: { readonly priority?: number } = {}): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const afterMs = backOffMs(failures, this.#backOff, this.#random);
    this.#metrics.retried();
    this.add(key, { ...options, afterMs });
    return afterMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Returns the priority of a queued key or of a key that is being processed. */
  priorityOf(key: string): number {
    return this.#entries.get(key)?.priority ?? priorityFresh;
  }

  /** Returns the next key and marks it as being processed. Returns undefined if no key is ready. */
  take(): string | undefined {
    const entry = this.#ready.shift();
    if (entry === undefined) return undefined;
    const now = this.#clock.monotonic();
    this.#metrics.taken((now - entry.since) / 1000);
    entry.processing = true;
    entry.since = now;
    this.#processing += 1;
    return entry.key;
  }

  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || !entry.processing) return;
    const now = this.#clock.monotonic();
    this.#metrics.finished((now - entry.since) / 1000);
    entry.processing = false;
    this.#processing -= 1;
    const { again } = entry;
    entry.again = undefined;
    if (again === undefined || this.#closed) this.#drop(entry);
    else this.#enqueue(entry, again.priority, again.readyAt);
  }

  /** Rejects new keys and drops waiting keys. Keys that are being processed may finish. */
  close(): void {
    this.#closed = true;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    for (const entry of this.#entries.values()) {
      entry.again = undefined;
      if (!entry.processing) this.#discard(entry);
    }
  }

  /** Returns the number of ready keys by priority. */
  depths(): ReadonlyMap<number, number> {
    return this.#ready.sizes();
  }

  /** Returns for how many seconds each key has been processed. */
  unfinishedSeconds(): number[] {
    const now = this.#clock.monotonic();
    const found: number[] = [];
    if (this.#processing === 0) return found;
    for (const entry of this.#entries.values()) if (entry.processing) found.push((now - entry.since) / 1000);
    return found;
  }

  snapshot(limit = 1000): QueuedItem[] {
    const now = this.#clock.monotonic();
    const items: QueuedItem[] = [];
    for (const entry of this.#entries.values()) {
      if (items.length >= limit) break;
      items.push(this.#describe(entry, now));
    }
    return items;
  }

  #describe(entry: Entry, now: number): QueuedItem {
    const common = {
      key: entry.key,
      priority: entry.priority,
      failures: this.failures(entry.key),
      forMs: now - entry.since,
    };
    if (entry.processing) return { ...common, state: 'processing' };
    if (entry.heapIndex < 0) return { ...common, state: 'ready' };
    return { ...common, state: 'delayed', readyInMs: entry.readyAt - now };
  }

  #insert(key: string, priority: number, readyAt: number): boolean {
    if (this.#entries.size >= this.#depthMax) {
      this.#overflowed = true;
      return false;
    }
    const entry: Entry = {
      key,
      priority,
      since: 0,
      processing: false,
      again: undefined,
      bucket: undefined,
      readyAt,
      heapIndex: -1,
    };
    this.#entries.set(key, entry);
    this.#enqueue(entry, priority, readyAt);
    return true;
  }

  /** Updates a queued key: the earlier time and the higher priority win. */
  #improve(entry: Entry, priority: number, readyAt: number): void {
    const higher = Math.max(entry.priority, priority);
    if (entry.heapIndex < 0) {
      if (higher === entry.priority || readyAt > this.#clock.monotonic()) return;
      this.#ready.remove(entry);
      entry.priority = higher;
      this.#ready.push(entry, higher);
      return;
    }
    if (readyAt >= entry.readyAt) return;
    this.#delayed.remove(entry);
    this.#enqueue(entry, higher, readyAt);
  }

  #enqueue(entry: Entry, priority: number, readyAt: number): void {
    entry.priority = priority;
    entry.since = this.#clock.monotonic();
    entry.readyAt = readyAt;
    if (readyAt <= entry.since) {
      this.#makeReady(entry);
      return;
    }
    this.#delayed.push(entry);
    this.#schedule();
  }

  #makeReady(entry: Entry): void {
    this.#metrics.added();
    this.#ready.push(entry, entry.priority);
    this.#onReady();
  }

  #schedule(): void {
    const first = this.#delayed.first();
    if (first === undefined || this.#closed) return;
    if (this.#timer !== undefined && this.#timer.at <= first.readyAt) return;
    this.#timer?.timer.cancel();
    const timer = this.#clock.setTimer(first.readyAt - this.#clock.monotonic(), () => this.#release());
    this.#timer = { timer, at: first.readyAt };
  }

  #release(): void {
    this.#timer = undefined;
    // Node's timers may fire a fraction early, so a key that is due within a millisecond counts as due.
    const now = this.#clock.monotonic();
    for (let entry = this.#delayed.first(); entry !== undefined; entry = this.#delayed.first()) {
      if (entry.readyAt > now + 1) break;
      this.#delayed.remove(entry);
      entry.since = now;
      this.#makeReady(entry);
    }
    this.#schedule();
  }

  #discard(entry: Entry): void {
    if (entry.heapIndex >= 0) this.#delayed.remove(entry);
    else this.#ready.remove(entry);
    this.#drop(entry);
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.key);
    if (!this.#overflowed || this.#entries.size > this.#depthMax / 2 || this.#closed) return;
    this.#overflowed = false;
    this.#onDrained();
  }
}

function merged(
  again: { priority: number; readyAt: number } | undefined,
  priority: number,
  readyAt: number,
): { priority: number; readyAt: number } {
  if (again === undefined) return { priority, readyAt };
  return { priority: Math.max(again.priority, priority), readyAt: Math.min(again.readyAt, readyAt) };
}
