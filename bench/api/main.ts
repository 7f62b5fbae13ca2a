// Compares Slipway's API server with kube-apiserver and etcd. See docs/benchmarks.md.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { Arena } from './arena.js';
import { bundle } from './bundle.js';
import { startKubeApiserver, startSlipway } from './contender.js';
import { measureGrowth } from './growth.js';
import { LoadGenerator } from './load/load-generator.js';
import { median } from './load/statistics.js';
import { residentMegabytes } from '../process-usage.js';
import { formatRow, reportText } from './report.js';
import { type Effort, measureRequests, measureWatches, warmUp } from './requests.js';
import { isMet, type Results, type ResultRow } from './result.js';
import { prepare } from './setting.js';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    http1: { type: 'boolean', default: false },
    assert: { type: 'boolean', default: false },
  },
});

const full: Effort = { writes: 500, readMs: 1_500, watchWrites: 200 };
const quick: Effort = { writes: 250, readMs: 600, watchWrites: 80 };
const idleMs = 5_000;
const assertSlack = 1.5;
const reportFile = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const outputFolder = fileURLToPath(new URL('./dist', import.meta.url));

const loadProgram = await bundle('./load/load-process.ts', `${outputFolder}/load-process.mjs`);
const results: Results = { rows: [], own: [] };

function note(row: ResultRow): void {
  console.log(formatRow(row));
}

/** Runs one group of measurements on a new pair of servers. */
async function withArena(rounds: number, measure: (arena: Arena) => Promise<void>): Promise<void> {
  const load = new LoadGenerator(loadProgram);
  const theirs = await startKubeApiserver();
  const ours = await startSlipway();
  try {
    const arena = new Arena({ ours, theirs }, load, rounds, flags.http1);
    await arena.both((contender) => prepare(load, contender));
    await measure(arena);
  } finally {
    load.stop();
    await ours.stop();
    await theirs.stop();
  }
}

/** Measures start time and idle memory of servers on which nothing else runs. */
async function measureRest(): Promise<void> {
  const starts = [];
  for (let start = 0; start < 2; start += 1) {
    const passing = await startSlipway();
    starts.push(passing.startMs);
    await passing.stop();
  }
  const theirs = await startKubeApiserver();
  const ours = await startSlipway();
  await pause(idleMs);
  const memory = { ours: residentMegabytes(ours.processIds), theirs: residentMegabytes(theirs.processIds) };
  const start = { ours: median([...starts, ours.startMs]), theirs: theirs.startMs };
  await ours.stop();
  await theirs.stop();
  const rows: ResultRow[] = [
    { measure: 'resident memory, idle', unit: 'MB', values: memory },
    { measure: 'start to first object served', unit: 'ms', values: start },
  ];
  for (const row of rows) {
    results.rows.push(row);
    note(row);
  }
  results.own.push(
    {
      measure: 'slipway: resident memory, idle',
      value: `${memory.ours.toFixed(0)} MB`,
      target: 'at most 120 MB',
      met: memory.ours <= 120,
    },
    {
      measure: 'slipway: first start, including key and certificate generation, median of three',
      value: `${start.ours.toFixed(0)} ms`,
      target: 'at most 1,000 ms',
      met: start.ours <= 1_000,
    },
  );
}

await measureRest();
await withArena(flags.quick ? 3 : 5, async (arena) => {
  const effort = flags.quick ? quick : full;
  await warmUp(arena, effort);
  await measureRequests(arena, effort, results, note);
  await measureWatches(arena, effort, results, note);
});
if (!flags.quick) await withArena(1, (arena) => measureGrowth(arena, results, note));
for (const { measure, value, met } of results.own)
  console.log(`${measure}: ${value}${met === false ? '  MISSED' : ''}`);

if (flags.write) writeFileSync(reportFile, reportText(results, flags.quick));
if (flags.assert && results.rows.some((row) => !isMet(row, assertSlack))) process.exitCode = 1;
