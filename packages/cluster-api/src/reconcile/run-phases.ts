import { done, FencedError, joinOutcomes, type Outcome, retry } from '@slipway/runtime';

/** One step of a reconcile. Throwing is a retry. */
export type Phase = () => Outcome | Promise<Outcome>;

/**
 * Runs every phase, also when one before it failed: what can be done is done, and what is wrong is known in full. All errors
 * count; without errors the earliest wait does.
 */
export async function runPhases(phases: readonly Phase[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const phase of phases) {
    try {
      outcomes.push(await phase());
    } catch (error) {
      // This process may not act any more: the other phases would only fail the same way.
      if (error instanceof FencedError) throw error;
      outcomes.push(retry(error instanceof Error ? error : new Error(String(error), { cause: error })));
    }
  }
  return joinOutcomes(outcomes);
}

/** A phase that has nothing to wait for. */
export function step(run: () => void | Promise<void>): Phase {
  return async () => {
    await run();
    return done();
  };
}
