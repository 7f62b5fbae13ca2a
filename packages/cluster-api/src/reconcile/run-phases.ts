import { done, FencedError, joinOutcomes, type Outcome, retry } from '@slipway/runtime';

/** One phase of a reconcile. An exception causes a retry. */
export type Phase = () => Outcome | Promise<Outcome>;

/**
 * Runs every phase, even after one failed, so that all possible work is done and all problems are reported. Returns all errors,
 * or the earliest wait if there are none.
 */
export async function runPhases(phases: readonly Phase[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const phase of phases) {
    try {
      outcomes.push(await phase());
    } catch (error) {
      // This process has lost the right to write, so the other phases would fail too.
      if (error instanceof FencedError) throw error;
      outcomes.push(retry(error instanceof Error ? error : new Error(String(error), { cause: error })));
    }
  }
  return joinOutcomes(outcomes);
}

/** Returns a phase that never waits. */
export function step(run: () => void | Promise<void>): Phase {
  return async () => {
    await run();
    return done();
  };
}
