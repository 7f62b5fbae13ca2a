import type { ChangeVerb } from '../change/index.js';
import type { QueueMetrics, WorkQueue } from '../queue/index.js';

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Observations that a controller reports as metrics. */
export interface ControllerMetrics {
  readonly queue: QueueMetrics;
  attach(queue: WorkQueue): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  failed(): void;
  failedTerminally(): void;
  /** Counts a reconcile that threw an error which indicates a bug. */
  panicked(): void;
  timedOut(): void;
  /** Counts a delay because the cache of this kind has not observed the last write. */
  waitedForCache(kind: string): void;
  active(count: number): void;
  /** Counts a write or call. */
  changed(kind: string, verb: ChangeVerb, reason: string): void;
}
