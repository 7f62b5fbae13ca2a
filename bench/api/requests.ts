import type { Arena, BurstPlan, Measured, Pair } from './arena.js';
import type { Results, ResultRow, Target } from './result.js';
import { configMapBody, configMaps, fleetBody, fleets } from './workload.js';
import { median } from './load/statistics.js';

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
const listed = fleets.replace('/bench/', '/bench-list/');
const readable = 500;

export interface Effort {
  readonly writes: number;
  readonly readMs: number;
  readonly watchWrites: number;
}

interface Scenario {
  readonly name: string;
  readonly plan: BurstPlan;
  readonly cpu?: Target;
  readonly rate?: Target;
}

/** Creates objects to read and patch, and sends enough requests of each kind to warm up both servers. */
export async function warmUp(arena: Arena, effort: Effort): Promise<void> {
  await arena.both(async (contender) => {
    const concurrency = 64;
    const create = { method: 'POST', contentType: json, concurrency } as const;
    await arena.run(contender, { ...create, path: listed, body: fleetBody(), count: 1_000 });
    const readableFleet = fleetBody().replace('fleet-', 'readable-');
    await arena.run(contender, { ...create, path: fleets, body: readableFleet, count: readable });
    await arena.run(contender, { ...create, path: configMaps, body: configMapBody('readable-{n}'), count: readable });
  });
  for (const { plan } of scenarios(effort, 0)) {
    const { unique = false, ...burst } = plan;
    const first = unique ? arena.takeNumbers(burst.count ?? 0) : 0;
    await arena.both((contender) => arena.run(contender, { ...burst, first }));
  }
}

/** Returns the kinds of requests. `salt` differs between calls, so that every patch changes something. */
function scenarios({ writes, readMs }: Effort, salt: number): Scenario[] {
  const patch = JSON.stringify({
    metadata: { annotations: { 'bench.slipway.dev/round': `${salt} {n}` } },
    spec: { topology: { replicas: 3 + salt } },
  });
  const createFleet = { method: 'POST', path: fleets, body: fleetBody(), contentType: json, unique: true } as const;
  const getFleet = { method: 'GET', path: `${fleets}/readable-{n}`, modulo: readable, durationMs: readMs } as const;
  const patchFleet = { method: 'PATCH', path: `${fleets}/readable-{n}`, body: patch, contentType: mergePatch } as const;
  const createMap = { method: 'POST', path: configMaps, body: configMapBody('map-{n}'), contentType: json } as const;
  const few = Math.ceil(writes / 4);
  return [
    {
      name: 'custom resource: create, 64 concurrent',
      plan: { ...createFleet, concurrency: 64, count: writes },
      cpu: { atMost: 1 / 5 },
      rate: { atLeast: 3 },
    },
    { name: 'custom resource: create, sequential', plan: { ...createFleet, concurrency: 1, count: few } },
    {
      name: 'custom resource: get, 64 concurrent',
      plan: { ...getFleet, concurrency: 64 },
      cpu: { atMost: 1 / 4 },
      rate: { atLeast: 3 },
    },
    { name: 'custom resource: get, sequential', plan: { ...getFleet, concurrency: 1 } },
    {
      name: 'custom resource: merge patch, 64 concurrent',
      plan: { ...patchFleet, concurrency: 64, count: Math.min(writes, readable) },
      cpu: { atMost: 1 / 5 },
    },
    { name: 'custom resource: merge patch, sequential', plan: { ...patchFleet, concurrency: 1, count: few } },
    {
      name: 'custom resource: list of 1,000',
      plan: { method: 'GET', path: listed, concurrency: 1, durationMs: 2 * readMs },
      cpu: { atMost: 1 / 10 },
    },
    {
      name: 'custom resource: list of 1,000, gzip',
      plan: { method: 'GET', path: listed, concurrency: 1, durationMs: 2 * readMs, gzip: true },
      cpu: { atMost: 1 / 10 },
    },
    {
      name: 'ConfigMap: create, 64 concurrent',
      plan: { ...createMap, concurrency: 64, count: 2 * writes, unique: true },
      cpu: { atMost: 1 / 2 },
      rate: { atLeast: 2 },
    },
    {
      name: 'ConfigMap: get, 64 concurrent',
      plan: {
        method: 'GET',
        path: `${configMaps}/readable-{n}`,
        modulo: readable,
        concurrency: 64,
        durationMs: readMs,
      },
      cpu: { atMost: 1 / 2 },
      rate: { atLeast: 2 },
    },
  ];
}

export async function measureRequests(
  arena: Arena,
  effort: Effort,
  results: Results,
  note: (row: ResultRow) => void,
): Promise<void> {
  for (const [index, { name, cpu, rate }] of scenarios(effort, 1).entries()) {
    const measured = await arena.compare((round) => (scenarios(effort, round + 1)[index] as Scenario).plan);
    for (const row of rowsOf(name, measured, cpu, rate)) {
      results.rows.push(row);
      note(row);
    }
  }
}

function rowsOf(name: string, { ours, theirs }: Pair<Measured>, cpu?: Target, rate?: Target): ResultRow[] {
  const row = (unit: string, field: keyof Measured, target?: Target): ResultRow => ({
    measure: name,
    unit,
    values: { ours: ours[field], theirs: theirs[field] },
    ...(target === undefined ? {} : { target }),
  });
  return [row('CPU-ms', 'cpuMsPerRequest', cpu), row('per second', 'perSecond', rate), row('p99 ms', 'p99Ms')];
}

/** Measures the time from sending a write until each of ten watchers has received the event. */
export async function measureWatches(
  arena: Arena,
  { watchWrites }: Effort,
  results: Results,
  note: (row: ResultRow) => void,
): Promise<void> {
  const medians: Pair<number[]> = { ours: [], theirs: [] };
  const slowest: Pair<number[]> = { ours: [], theirs: [] };
  for (let round = 0; round < arena.rounds + 1; round += 1) {
    const first = arena.takeNumbers(watchWrites);
    const probe = {
      watchers: 10,
      writes: watchWrites,
      collection: configMaps,
      body: configMapBody('watched-{n}'),
      first,
    };
    for (const side of ['theirs', 'ours'] as const) {
      const measured = await arena.load.probeWatches({ ...probe, connection: arena.contenders[side].connection });
      // The first round is not recorded: it warms up both servers.
      if (round === 0) continue;
      medians[side].push(measured.medianMs);
      slowest[side].push(measured.p99Ms);
    }
  }
  const measure = 'write to watch event, 10 watchers';
  const values = (all: Pair<number[]>): Pair<number> => ({ ours: median(all.ours), theirs: median(all.theirs) });
  const rows: ResultRow[] = [
    { measure, unit: 'median ms', values: values(medians) },
    { measure, unit: 'p99 ms', values: values(slowest), target: { atMost: 1 } },
  ];
  for (const row of rows) {
    results.rows.push(row);
    note(row);
  }
}
