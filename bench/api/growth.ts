import { setTimeout as pause } from 'node:timers/promises';
import type { Arena, Pair } from './arena.js';
import type { Contender } from './contender.js';
import { residentMegabytes } from '../process-usage.js';
import type { Results, ResultRow } from './result.js';
import { fleetBody, fleets } from './workload.js';

const objectsFew = 100;
const objectsMany = 20_000;
const watchesMany = 1_000;
const samples = 5;
const settleMs = 10_000;
/** Body of a Fleet, which is 2.1 KB with two variables. */
const body = fleetBody(2);

/** Measures how memory and the cost of a write grow with the number of stored objects and of unrelated watches. */
export async function measureGrowth(arena: Arena, results: Results, note: (row: ResultRow) => void): Promise<void> {
  await arena.both((contender) => create(arena, contender, 0, objectsFew));
  // New processes write slowly, so the baseline is measured after a separate warm-up.
  await writeCost(arena);
  const few = await writeCost(arena);
  const watched = await arena.both(async (contender) => {
    const { connection } = contender;
    await arena.load.holdWatches({ connection, path: '/api/v1/namespaces/bench/secrets', count: watchesMany });
    const cost = await costOf(arena, contender);
    await arena.load.dropWatches();
    return cost;
  });
  await arena.both((contender) => create(arena, contender, 1_000_000, objectsMany - objectsFew));
  await pause(settleMs);
  const memory = await arena.both(async ({ processIds }) => residentMegabytes(processIds));
  const many = await writeCost(arena);
  const row: ResultRow = {
    measure: `resident memory with ${objectsMany.toLocaleString('en')} objects of 2 KB`,
    unit: 'MB',
    values: memory,
    target: { atMost: 1 / 6 },
  };
  results.rows.push(row);
  note(row);
  for (const side of ['ours', 'theirs'] as const)
    results.own.push(...growthRows(side, few[side], many[side], watched[side]));
}

function growthRows(side: keyof Pair<number>, few: number, many: number, watched: number): Results['own'] {
  const name = side === 'ours' ? 'slipway' : 'kube-apiserver + etcd';
  const grown = (cost: number): string => `${few.toFixed(2)} → ${cost.toFixed(2)} CPU-ms`;
  // The limit is 30% higher, because clock resolution and other load on the host cause errors of about 25%.
  const targetOf = (cost: number): object => (side === 'ours' ? { target: 'no growth', met: cost <= few * 1.3 } : {});
  return [
    {
      measure: `${name}: create at ${objectsFew} → ${objectsMany.toLocaleString('en')} stored objects`,
      value: grown(many),
      ...targetOf(many),
    },
    {
      measure: `${name}: create with 0 → ${watchesMany.toLocaleString('en')} watches on another kind`,
      value: grown(watched),
      ...targetOf(watched),
    },
  ];
}

function writeCost(arena: Arena): Promise<Pair<number>> {
  return arena.both((contender) => costOf(arena, contender));
}

/** Returns the minimum of several measurements: disturbances only add time. */
async function costOf(arena: Arena, contender: Contender): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < samples; sample += 1) {
    const count = 200;
    const first = arena.takeNumbers(count);
    const plan = {
      method: 'POST',
      path: fleets,
      body,
      contentType: 'application/json',
      concurrency: 16,
      count,
    } as const;
    least = Math.min(least, (await arena.measure(contender, { ...plan, first: 2_000_000 + first })).cpuMsPerRequest);
  }
  return least;
}

async function create(arena: Arena, contender: Contender, first: number, count: number): Promise<void> {
  const contentType = 'application/json';
  await arena.run(contender, { method: 'POST', path: fleets, body, contentType, concurrency: 64, first, count });
}
