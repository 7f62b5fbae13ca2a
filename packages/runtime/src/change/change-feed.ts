import type { Disposable } from '@slipway/base';
import type { ObjectKey } from '../client/index.js';
import type { ChangeVerb } from './change.js';
import type { FieldDifference } from './field-difference.js';

/** One write or call that the executor made or tried. One record for each request that reached a server. */
export interface ChangeRecord {
  /** Wall time in milliseconds when it ended. */
  readonly time: number;
  readonly durationMs: number;
  readonly controller: string;
  /** The object whose reconcile made the change; absent for changes outside a reconcile. */
  readonly reconciled?: ObjectKey & { readonly kind: string };
  readonly object: ChangedObject;
  /** The remote cluster that was written to; absent for the management cluster. */
  readonly cluster?: string;
  readonly verb: ChangeVerb;
  readonly subresource?: string;
  /** What a call did. */
  readonly action?: string;
  readonly reason: string;
  readonly message: string;
  /** What differs, computed when it is first read. Never shows a secret. */
  readonly fields: readonly FieldDifference[];
  readonly result: 'ok' | 'failed';
  readonly error?: string;
  readonly dryRun: boolean;
}

export interface ChangedObject extends ObjectKey {
  readonly group: string;
  readonly kind: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export type ChangeListener = (record: ChangeRecord) => void;

const recentMaxDefault = 1_000;

/** Every change of a process, in order. Readers subscribe; the most recent records are kept for those who come later. */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();
  readonly #recent: ChangeRecord[] = [];
  readonly #recentMax: number;
  #next = 0;
  #published = 0;

  constructor(options: { readonly recentMax?: number } = {}) {
    this.#recentMax = options.recentMax ?? recentMaxDefault;
  }

  /** How many records were published since the start. */
  get published(): number {
    return this.#published;
  }

  /** The records still kept, oldest first. */
  recent(): ChangeRecord[] {
    return [...this.#recent.slice(this.#next), ...this.#recent.slice(0, this.#next)];
  }

  /** A listener must not throw and must not block: it runs inside the reconcile that made the change. */
  subscribe(listener: ChangeListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  publish(record: ChangeRecord): void {
    this.#published += 1;
    if (this.#recent.length < this.#recentMax) this.#recent.push(record);
    else if (this.#recentMax > 0) {
      this.#recent[this.#next] = record;
      this.#next = (this.#next + 1) % this.#recentMax;
    }
    for (const listener of this.#listeners) listener(record);
  }
}
