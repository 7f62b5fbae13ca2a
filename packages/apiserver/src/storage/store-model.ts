import { deepEqual, equal, ok } from 'node:assert/strict';
import { seededRandom, VirtualClock } from '@slipway/base';
import fc from 'fast-check';
import { FakeDisk } from './fake-disk.js';
import type { ObjectStore } from './object-store.js';
import { openMemoryStore } from './open-store.js';
import { RevisionMismatch, StorageUnavailable } from './errors.js';
import type { StoreEvent } from '../contract/index.js';
import { configMap, keyOf } from './store-conformance.js';

export type Step =
  | { readonly kind: 'write'; readonly name: string; readonly remove: boolean; readonly stale: boolean }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'faults'; readonly failing: boolean; readonly latencyMs: number; readonly full: boolean }
  | { readonly kind: 'watch'; readonly back: number }
  | { readonly kind: 'crash' };

const names = ['a', 'b', 'c', 'd'];
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      name: fc.constantFrom(...names),
      remove: fc.boolean(),
      stale: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 12 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('faults' as const),
      failing: fc.boolean(),
      latencyMs: fc.integer({ min: 0, max: 8 }),
      full: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('watch' as const), back: fc.integer({ min: 0, max: 8 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
);

/** A change in the model: `revision name=value`. The value is empty for a deletion. */
interface Change {
  readonly revision: number;
  readonly name: string;
  readonly value: string;
}

function changeOf({ type, revision, current }: StoreEvent): Change {
  const { value } = current.object['data'] as { value: string };
  equal(current.object.metadata.resourceVersion, String(revision));
  return { revision, name: current.key.name, value: type === 'DELETED' ? '' : value };
}

/** Drives a store on a simulated disk and compares it with a model: the list of acknowledged changes. */
export class StoreModelRun {
  readonly clock = new VirtualClock();
  readonly disk: FakeDisk;
  readonly history = { maxEvents: 12, maxAgeMs: 60_000 };
  #store: ObjectStore | undefined;
  #acknowledged: Change[] = [];
  /** Values of writes that were not acknowledged since the store was opened. */
  readonly #undecided = new Set<string>();
  #watches: { readonly from: number; readonly seen: Change[] }[] = [];
  #serial = 0;

  constructor(seed: number) {
    this.disk = new FakeDisk(this.clock, seededRandom(seed));
  }

  get store(): ObjectStore {
    return this.#store as ObjectStore;
  }

  get lastAcknowledged(): number {
    return this.#acknowledged.at(-1)?.revision ?? 0;
  }

  async open(): Promise<void> {
    this.#store = await openMemoryStore({
      disk: this.disk,
      clock: this.clock,
      history: this.history,
      secondFormBytes: 500,
    });
    this.#recover();
  }

  async perform(next: Step): Promise<void> {
    if (next.kind === 'write') this.#write(next.name, next.remove, next.stale);
    if (next.kind === 'advance') await this.clock.advance(next.ms);
    if (next.kind === 'faults') {
      this.disk.faults.syncFailure = next.failing ? 0.5 : 0;
      this.disk.faults.syncLatencyMs = next.latencyMs;
      this.disk.faults.capacityBytes = next.full ? 3_000 : Number.POSITIVE_INFINITY;
    }
    if (next.kind === 'watch') this.#watch(Math.max(this.store.compactedRevision, this.store.revision - next.back));
    if (next.kind === 'crash') {
      this.disk.crash();
      this.#watches = [];
      await this.open();
    }
    await this.clock.advance(0);
    this.check();
  }

  check(): void {
    deepEqual(contentOf(this.store.list({ resource: 'configmaps' })), this.#stateAt(this.store.revision));
    for (let at = this.store.compactedRevision; at <= this.store.revision; at += 1) {
      deepEqual(contentOf(this.store.listAt({ resource: 'configmaps' }, at)), this.#stateAt(at));
    }
    for (const { from, seen } of this.#watches) {
      const due = this.#acknowledged.filter(({ revision }) => revision > from);
      deepEqual(seen, due);
    }
  }

  #write(name: string, remove: boolean, stale: boolean): void {
    const { store } = this;
    const current = store.get(keyOf(name))?.revision ?? 0;
    this.#serial += 1;
    const value = `v${this.#serial}`;
    const mark = remove ? `delete ${name}` : value;
    this.#undecided.add(mark);
    const object = remove ? undefined : configMap(name, value);
    store.commit({ key: keyOf(name), expected: stale ? current + 1_000 : current, object }).then(
      ({ revision }) => {
        if (store !== this.#store) throw new Error('acknowledged after the crash');
        this.#undecided.delete(value);
        this.#acknowledged.push({ revision, name, value: remove ? '' : value });
      },
      (error: unknown) => {
        ok(error instanceof RevisionMismatch || error instanceof StorageUnavailable);
      },
    );
  }

  #watch(from: number): void {
    const seen: Change[] = [];
    this.#watches.push({ from, seen });
    this.store.watch({ resource: 'configmaps' }, from, (event) => seen.push(changeOf(event)));
  }

  /**
   * Checks the state after a crash: every acknowledged change must exist, and any other change must be a write that was pending.
   */
  #recover(): void {
    const { store } = this;
    const last = this.lastAcknowledged;
    ok(store.revision >= last, 'the revision decreased');
    const found: Change[] = [];
    store.watch({ resource: 'configmaps' }, store.compactedRevision, (event) => found.push(changeOf(event)));
    const known = this.#acknowledged.filter(({ revision }) => revision > store.compactedRevision);
    deepEqual(found.slice(0, known.length), known);
    for (const change of found.slice(known.length)) {
      ok(change.revision > last, 'a failed write became visible');
      ok(
        this.#undecided.has(change.value === '' ? `delete ${change.name}` : change.value),
        'the store holds a change that no client wrote',
      );
      this.#acknowledged.push(change);
    }
  }

  #stateAt(at: number): string[] {
    const state = new Map<string, Change>();
    for (const change of this.#acknowledged) {
      if (change.revision > at) continue;
      if (change.value === '') state.delete(change.name);
      else state.set(change.name, change);
    }
    return [...state.values()].map(({ revision, name, value }) => `${revision} ${name}=${value}`).toSorted(byName);
  }
}

function contentOf(list: ReturnType<ObjectStore['list']>): string[] {
  return list.map(({ revision, key, bytes }) => {
    const { data } = JSON.parse(bytes.toString()) as { data: { value: string } };
    return `${revision} ${key.name}=${data.value}`;
  });
}

function byName(left: string, right: string): number {
  return (left.split(' ')[1] ?? '') < (right.split(' ')[1] ?? '') ? -1 : 1;
}
