import type { Clock } from '@slipway/base';
import type { AggregatedResponse } from './extension-client.js';
import type { RuntimeHook } from './runtime-hooks.js';

interface Subject {
  readonly metadata: { readonly uid?: string };
}

const entriesMax = 100_000;

/** Caches hook responses until their retry time, because reconciles are more frequent than retries. */
export class HookCache {
  readonly #clock: Clock;
  readonly #until = new Map<string, { readonly at: number; readonly message: string }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the cached response with the remaining retry time. Undefined if the hook must be called. */
  get(subject: Subject, hook: RuntimeHook): AggregatedResponse | undefined {
    const key = keyOf(subject, hook);
    const entry = this.#until.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.at - this.#clock.monotonic();
    if (leftMs > 0) return { retryAfterSeconds: Math.ceil(leftMs / 1_000), message: entry.message };
    this.#until.delete(key);
    return undefined;
  }

  set(subject: Subject, hook: RuntimeHook, { retryAfterSeconds, message }: AggregatedResponse): void {
    const [oldest] = this.#until.keys();
    if (this.#until.size >= entriesMax && oldest !== undefined) this.#until.delete(oldest);
    this.#until.set(keyOf(subject, hook), { at: this.#clock.monotonic() + retryAfterSeconds * 1_000, message });
  }
}

function keyOf({ metadata }: Subject, hook: RuntimeHook): string {
  return `${metadata.uid ?? ''} ${hook}`;
}
