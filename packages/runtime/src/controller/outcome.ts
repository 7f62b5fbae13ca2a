/**
 * The result of a reconcile. Waiting is not a failure: it has a reason that a condition can show, and a time only if no watch
 * triggers the next reconcile. A retry has exponential back-off. A terminal error is retried only when the object changes.
 */
export type Outcome =
  | { readonly type: 'done' }
  | { readonly type: 'wait'; readonly ms?: number; readonly reason: string; readonly message: string }
  | { readonly type: 'retry'; readonly error: Error }
  | { readonly type: 'terminal'; readonly error: Error };

const doneOutcome: Outcome = Object.freeze({ type: 'done' });

export function done(): Outcome {
  return doneOutcome;
}

export function wait(cause: { readonly ms?: number; readonly reason: string; readonly message: string }): Outcome {
  return { type: 'wait', ...cause };
}

export function retry(error: Error): Outcome {
  return { type: 'retry', error };
}

export function terminal(error: Error): Outcome {
  return { type: 'terminal', error };
}

/**
 * Joins the outcomes of several phases of a reconcile. With errors, the result contains all of them, and is terminal only if none
 * of them can be retried. Without errors, the earliest wait wins.
 */
export function joinOutcomes(outcomes: readonly Outcome[]): Outcome {
  const failed = outcomes.filter((outcome) => outcome.type === 'retry' || outcome.type === 'terminal');
  if (failed.length > 0) {
    const errors = failed.map((outcome) => outcome.error);
    const message = errors.map((error) => error.message).join('; ');
    const error = errors.length === 1 && errors[0] !== undefined ? errors[0] : new AggregateError(errors, message);
    return failed.some((outcome) => outcome.type === 'retry') ? retry(error) : terminal(error);
  }
  let earliest: Outcome = doneOutcome;
  for (const outcome of outcomes) if (outcome.type === 'wait') earliest = earlierWait(earliest, outcome);
  return earliest;
}

function earlierWait(left: Outcome, right: Extract<Outcome, { type: 'wait' }>): Outcome {
  if (left.type !== 'wait') return right;
  return (right.ms ?? Number.POSITIVE_INFINITY) < (left.ms ?? Number.POSITIVE_INFINITY) ? right : left;
}
