import type { Connection } from '../contender.js';

/** One burst of requests, all of the same kind. */
export interface Burst {
  readonly connection: Connection;
  readonly concurrency: number;
  readonly http1?: boolean;
  readonly gzip?: boolean;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /**
   * Path of the requests. `{n}` is replaced by the number of the request, counted from `first`, which wraps after `modulo`
   * numbers.
   */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly first?: number;
  readonly modulo?: number;
  /** Maximum number of requests. The burst ends after it or after the time limit, whichever is set. */
  readonly count?: number;
  readonly durationMs?: number;
}

export interface BurstResult {
  readonly requests: number;
  readonly elapsedMs: number;
  readonly failures: number;
  readonly firstFailure?: string;
  readonly bytes: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Sequential writes, which measure the delay until each of several watchers has received the event. */
export interface WatchProbe {
  readonly connection: Connection;
  readonly watchers: number;
  readonly writes: number;
  readonly collection: string;
  readonly body: string;
  readonly first: number;
}

export interface WatchProbeResult {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Watches that stay open until a command closes them. */
export interface HoldWatches {
  readonly connection: Connection;
  readonly path: string;
  readonly count: number;
}

export type LoadJob =
  | { readonly kind: 'burst'; readonly job: Burst }
  | { readonly kind: 'watch-probe'; readonly job: WatchProbe }
  | { readonly kind: 'hold-watches'; readonly job: HoldWatches }
  | { readonly kind: 'drop-watches' };

export type LoadAnswer = { readonly result: unknown } | { readonly error: string };
