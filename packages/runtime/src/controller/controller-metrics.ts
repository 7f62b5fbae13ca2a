import type { ChangeVerb } from '../change/index.js';
import type { QueueMetrics, WorkQueue } from '../queue/index.js';

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What a controller tells the world about itself. */
export interface ControllerMetrics {
  readonly queue: QueueMetrics;
  attach(queue: WorkQueue): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  failed(): void;
  failedForGood(): void;
  /** A reconcile threw what only a mistake in the code throws. */
  broke(): void;
  timedOut(): void;
  /** A cache of this kind has not seen what was written. */
  putOff(kind: string): void;
  active(count: number): void;
  /** A write or call was made. */
  changed(kind: string, verb: ChangeVerb, reason: string): void;
}
