import { isReason } from '@slipway/kube';
import { FencedError } from '../leader-election/index.js';
import { ReconcileError } from '../reconcile/reconcile-error.js';

export interface Classified {
  readonly error: Error;
  /** `park`: comes back only when something changes. */
  readonly verdict: 'retry' | 'park' | 'terminal' | 'fenced';
  /** Only a mistake in the code throws these. */
  readonly isMistake: boolean;
  /** Expected now and then: not worth a line at error level. */
  readonly isRoutine: boolean;
}

/** The reconcile took longer than it may. */
export class ReconcileTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`reconcile did not end within ${timeoutMs} ms`);
    this.name = 'ReconcileTimeoutError';
  }
}

export function classifyError(thrown: unknown): Classified {
  if (!(thrown instanceof Error))
    return { error: new Error(String(thrown)), verdict: 'retry', isMistake: true, isRoutine: false };
  const isRoutine = isReason(thrown, 'Conflict');
  return { error: thrown, verdict: verdictOf(thrown), isMistake: isMistake(thrown), isRoutine };
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

/** Network stacks throw TypeErrors with a cause; those are not ours. */
function isMistake(error: Error): boolean {
  if (error instanceof ReferenceError || error instanceof RangeError || error.name === 'AssertionError') return true;
  return error instanceof TypeError && error.cause === undefined;
}
