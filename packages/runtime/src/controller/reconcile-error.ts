/**
 * When a failed reconcile is retried. `now` and `later`: automatically. `onChange`: when a watched object changes. `never`: only
 * after a user has changed something.
 */
export type RetryPolicy = 'now' | 'later' | 'onChange' | 'never';

export interface ReconcileErrorOptions {
  readonly retry: RetryPolicy;
  /** What the user can do about the failure. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An expected failure. The reason is used as condition reason and metric label; the message names the object. */
export class ReconcileError<Reason extends string = string> extends Error {
  readonly reason: Reason;
  readonly retry: RetryPolicy;
  readonly remedy: string | undefined;

  constructor(reason: Reason, message: string, options: ReconcileErrorOptions) {
    super(options.remedy === undefined ? message : `${message}; ${options.remedy}`, { cause: options.cause });
    this.name = 'ReconcileError';
    this.reason = reason;
    this.retry = options.retry;
    this.remedy = options.remedy;
  }
}
