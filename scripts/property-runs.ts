import fc from 'fast-check';

// FUZZ_RUNS=5000 npm run test:fuzz runs every property that often, with other values each time; FUZZ_SEED replays a
// printed seed. By default the values are the same in every run, so that the same code has the same result.
const runs = process.env['FUZZ_RUNS'];
const seed = process.env['FUZZ_SEED'] ?? (runs === undefined ? '20260101' : undefined);
fc.configureGlobal({
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
