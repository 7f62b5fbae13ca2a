// Launches fleets of simulated clusters on Slipway and on upstream's Cluster API. See docs/benchmarks-clusters.md.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs, residentMegabytes } from '../process-usage.js';
import { launchFleet } from './fleet.js';
import { growthChart } from './growth-chart.js';
import { type Cost, type Growth, reportText } from './report.js';
import { type Contender, startSlipway } from './slipway.js';
import { startUpstream } from './upstream.js';
import { countWrites, type WriteCount } from './write-count.js';

const { values: flags } = parseArgs({
  options: {
    clusters: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    growth: { type: 'string', default: '10,100,200,1000' },
    alone: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const limitMs = 3_600_000;
const idleMs = 20_000;
const chartFile = fileURLToPath(new URL('../../docs/benchmarks-growth.svg', import.meta.url));
const reportFile = fileURLToPath(new URL('../../docs/benchmarks-clusters.md', import.meta.url));

async function measure(start: () => Promise<Contender>, count: number): Promise<Cost> {
  const contender = await start();
  try {
    const before = cpuMs(contender.processIds);
    const wallMs = await launchFleet(contender.client, 0, count, limitMs);
    const spent = cpuMs(contender.processIds) - before;
    return { wallMs, cpuMs: spent, megabytes: residentMegabytes(contender.processIds) };
  } finally {
    await contender.stop();
  }
}

/** Measures the time from the start of the command until the first cluster is Available. */
async function measureFirst(): Promise<number> {
  const startedAt = performance.now();
  const slipway = await startSlipway();
  try {
    await launchFleet(slipway.client, 0, 1, limitMs);
    return performance.now() - startedAt;
  } finally {
    await slipway.stop();
  }
}

async function measureWrites(clusters: number): Promise<WriteCount> {
  const slipway = await startSlipway();
  try {
    return await countWrites(slipway.client, clusters, limitMs);
  } finally {
    await slipway.stop();
  }
}

async function measureGrowth(count: number): Promise<Growth> {
  const slipway = await startSlipway();
  try {
    const empty = residentMegabytes(slipway.processIds);
    const launchedAt = cpuMs(slipway.processIds);
    const wallMs = await launchFleet(slipway.client, 0, count, limitMs);
    const launchCpuMs = cpuMs(slipway.processIds) - launchedAt;
    const megabytes = residentMegabytes(slipway.processIds);
    // Idle usage is measured after a pause: it must not include memory that the launch has not released yet.
    await pause(idleMs);
    const before = cpuMs(slipway.processIds);
    await pause(idleMs);
    const idleShare = (cpuMs(slipway.processIds) - before) / idleMs;
    const growth = { count, wallMs, cpuMs: launchCpuMs, megabytes, idleShare };
    return { ...growth, megabytesEach: (megabytes - empty) / count };
  } finally {
    await slipway.stop();
  }
}

const count = Number(flags.clusters);
const ours: Cost[] = [];
const theirs: Cost[] = [];
for (let round = 0; round < Number(flags.rounds); round += 1) {
  ours.push(await measure(startSlipway, count));
  console.log('slipway', ours.at(-1));
  if (flags.alone) continue;
  theirs.push(await measure(startUpstream, count));
  console.log('upstream', theirs.at(-1));
}
const firstMs = await measureFirst();
console.log('first cluster after', Math.round(firstMs), 'ms');
const writes = await measureWrites(count);
console.log('writes', writes);
const growth: Growth[] = [];
for (const size of flags.growth.split(',').filter((text) => text !== '')) {
  growth.push(await measureGrowth(Number(size)));
  console.log('growth', growth.at(-1));
}
const text = reportText({ count, ours, theirs, firstMs, writes, growth });
if (flags.write) {
  writeFileSync(reportFile, text);
  if (growth.length > 1) writeFileSync(chartFile, growthChart(growth));
} else console.log(text);
