import { isReason } from '@slipway/kube';
import { FencedError } from '../leader-election/index.js';
import { ReconcileError } from './reconcile-error.js';

export interface Classified {
  readonly error: Error;
  /** What happens to the key. `park`: it is not retried until a watched object changes. */
  readonly verdict: 'retry' | 'park' | 'terminal' | 'fenced';
  /** Whether the type of the error indicates a bug in the controller. */
  readonly isProgrammingError: boolean;
  /** Whether the error is expected occasionally, so that it is not logged at error level. */
  readonly isRoutine: boolean;
}

/** The reconcile exceeded its timeout. */
export class ReconcileTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`reconcile did not finish within ${timeoutMs} ms`);
    this.name = 'ReconcileTimeoutError';
  }
}

export function classifyError(thrown: unknown): Classified {
  if (!(thrown instanceof Error))
    return { error: new Error(String(thrown)), verdict: 'retry', isProgrammingError: true, isRoutine: false };
  const isRoutine = isReason(thrown, 'Conflict');
  return { error: thrown, verdict: verdictOf(thrown), isProgrammingError: isProgrammingError(thrown), isRoutine };
}

function verdictOf(error: Error): Classified['verdict'] {
  if (isFenced(error)) return 'fenced';
  if (!(error instanceof ReconcileError)) return 'retry';
  if (error.retry === 'never') return 'terminal';
  return error.retry === 'onChange' ? 'park' : 'retry';
}

function isFenced(error: unknown): boolean {
  return error instanceof FencedError || (error instanceof Error && error.cause instanceof FencedError);
}

/** Returns whether the error indicates a bug. TypeErrors with a cause do not: network libraries throw them. */
function isProgrammingError(error: Error): boolean {
  if (error instanceof ReferenceError || error instanceof RangeError || error.name === 'AssertionError') return true;
  return error instanceof TypeError && error.cause === undefined;
}
