import type { Outcome } from './outcome.js';
import { ReconcileTimeoutError } from './classify-error.js';
import type { Deadlines } from './deadlines.js';
import type { RunContext } from './reconcile-context.js';

export type Settled = { readonly outcome: Outcome } | { readonly thrown: unknown };

/** Time in which an aborted reconcile must end. After that its key is released and its context is closed. */
const abandonMs = 5_000;

/** Runs `work` until its deadline. Settles once, when the work ends or is abandoned. Never rejects. */
export function runReconcile(
  context: RunContext,
  deadlines: Deadlines,
  work: () => Promise<Outcome>,
  onTimeout: () => void,
): Promise<Settled> {
  return new Promise((resolve) => {
    let cancel: () => void;
    const settle = (settled: Settled): void => {
      cancel();
      context.close();
      resolve(settled);
    };
    const deadline = deadlines.begin(() => {
      const error = new ReconcileTimeoutError(deadlines.timeoutMs);
      const timer = context.clock.setTimer(abandonMs, () => settle({ thrown: error }));
      cancel = () => timer.cancel();
      onTimeout();
      context.abort(error);
    });
    cancel = () => deadlines.end(deadline);
    begin(work).then(
      (outcome) => settle({ outcome }),
      (thrown: unknown) => settle({ thrown }),
    );
  });
}

/** Calls the work. If it is not an async function, it may throw before it returns a promise. */
async function begin(work: () => Promise<Outcome>): Promise<Outcome> {
  return work();
}
