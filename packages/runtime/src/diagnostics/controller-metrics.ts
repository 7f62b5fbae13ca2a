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
  /** A reconcile threw an error that only a programming error causes. */
  panicked(): void;
  timedOut(): void;
  /** A cache of this kind has not observed the last write. */
  waitedForCache(kind: string): void;
  active(count: number): void;
  /** A write or call was made. */
  changed(kind: string, verb: ChangeVerb, reason: string): void;
}
