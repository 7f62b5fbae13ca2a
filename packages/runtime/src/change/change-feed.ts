import type { Disposable } from '@slipway/base';
import type { ObjectKey } from '../client/index.js';
import type { ChangeVerb } from './change.js';
import type { FieldDifference } from './field-difference.js';

/** One write or call that the executor made or tried. There is one record for each request sent to a server. */
export interface ChangeRecord {
  /** Wall-clock time in milliseconds when the request ended. */
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
  /** The action of a call. */
  readonly action?: string;
  readonly reason: string;
  readonly message: string;
  /** The fields that differ, computed on first access. Never contains a secret. */
  readonly fields: readonly FieldDifference[];
  /** `unchanged`: the server accepted the request and found nothing to change. */
  readonly result: 'ok' | 'unchanged' | 'failed';
  readonly error?: string;
  readonly dryRun: boolean;
}

export interface ChangedObject extends ObjectKey {
  readonly group: string;
  readonly kind: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Number of records since the start, by result. */
export interface ChangeCounts {
  /** Writes to the management cluster that changed an object. */
  readonly written: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Writes to clusters other than the management cluster. */
  readonly remote: number;
  readonly calls: number;
  readonly dryRuns: number;
  /** Records of any verb without a reason or a message. */
  readonly unexplained: number;
}

export type ChangeListener = (record: ChangeRecord) => void;

const recentMaxDefault = 1_000;

/**
 * Publishes every change of a process, in order. Keeps the most recent records for late readers, except those of requests that
 * changed nothing.
 */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();
  readonly #recent: ChangeRecord[] = [];
  readonly #recentMax: number;
  readonly #counts: { -readonly [Name in keyof ChangeCounts]: number } = {
    written: 0,
    unchanged: 0,
    failed: 0,
    remote: 0,
    calls: 0,
    dryRuns: 0,
    unexplained: 0,
  };
  #next = 0;
  #published = 0;

  constructor(options: { readonly recentMax?: number } = {}) {
    this.#recentMax = options.recentMax ?? recentMaxDefault;
  }

  /** Number of records published since the start. */
  get published(): number {
    return this.#published;
  }

  get counts(): ChangeCounts {
    return { ...this.#counts };
  }

  /** Returns the retained records, oldest first. */
  recent(): ChangeRecord[] {
    return [...this.#recent.slice(this.#next), ...this.#recent.slice(0, this.#next)];
  }

  /** Adds a listener. It must not throw or block: it runs inside the reconcile that made the change. */
  subscribe(listener: ChangeListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  publish(record: ChangeRecord): void {
    this.#published += 1;
    this.#counts[outcomeOf(record)] += 1;
    if (record.reason === '' || record.message === '') this.#counts.unexplained += 1;
    if (record.result !== 'unchanged') this.#keep(record);
    for (const listener of this.#listeners) listener(record);
  }

  #keep(record: ChangeRecord): void {
    if (this.#recent.length < this.#recentMax) this.#recent.push(record);
    else if (this.#recentMax > 0) {
      this.#recent[this.#next] = record;
      this.#next = (this.#next + 1) % this.#recentMax;
    }
  }
}

function outcomeOf({ verb, result, cluster, dryRun }: ChangeRecord): Exclude<keyof ChangeCounts, 'unexplained'> {
  if (result === 'failed') return 'failed';
  if (dryRun) return 'dryRuns';
  if (verb === 'call') return 'calls';
  if (cluster !== undefined) return 'remote';
  return result === 'unchanged' ? 'unchanged' : 'written';
}
