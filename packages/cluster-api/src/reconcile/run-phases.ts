import { done, FencedError, joinOutcomes, type Outcome, retry } from '@slipway/runtime';

/** One step of a reconcile. An exception causes a retry. */
export type Phase = () => Outcome | Promise<Outcome>;

/**
 * Runs every phase, also after a failed one: all possible work is done and all problems are reported. All errors count; without
 * errors the earliest wait wins.
 */
export async function runPhases(phases: readonly Phase[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const phase of phases) {
    try {
      outcomes.push(await phase());
    } catch (error) {
      // This process may no longer write: the other phases would fail the same way.
      if (error instanceof FencedError) throw error;
      outcomes.push(retry(error instanceof Error ? error : new Error(String(error), { cause: error })));
    }
  }
  return joinOutcomes(outcomes);
}

/** A phase without a wait. */
export function step(run: () => void | Promise<void>): Phase {
  return async () => {
    await run();
    return done();
  };
}
