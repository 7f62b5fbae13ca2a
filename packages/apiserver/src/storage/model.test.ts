import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { step, StoreModelRun } from './store-model.js';

describe('a store on a disk with injected faults', () => {
  it('agrees with the list of acknowledged changes after any sequence of faults', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (seed, steps) => {
        const run = new StoreModelRun(seed);
        await run.open();
        for (const next of steps) await run.perform(next);
        Object.assign(run.disk.faults, { syncFailure: 0, capacityBytes: Number.POSITIVE_INFINITY });
        await run.clock.advance(100);
        run.check();
        expect(run.store.revision).toBe(run.lastAcknowledged);
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});
