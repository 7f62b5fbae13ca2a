import fc from 'fast-check';

// FUZZ_RUNS=5000 npm run test:fuzz runs every property that often; FUZZ_SEED replays what a failure printed.
const runs = process.env['FUZZ_RUNS'];
const seed = process.env['FUZZ_SEED'];
fc.configureGlobal({
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
