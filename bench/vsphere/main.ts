// Creates and deletes machines in a simulated vCenter with our vSphere provider and with upstream's. See
// docs/benchmarks-vsphere.md.
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuMs, residentMegabytes } from '../process-usage.js';
import { type Contender, startEmbedded, startSlipway, startUpstream } from './contender.js';
import { launchFleet, machinesEach, removeFleet } from './fleet.js';
import { type Cost, reportText, type Round } from './report.js';

const { values: flags } = parseArgs({
  options: {
    clusters: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    alone: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const count = Number(flags.clusters);
const limitMs = 3_600_000;
const reportFile = fileURLToPath(new URL('../../docs/benchmarks-vsphere.md', import.meta.url));
const stockManager = fileURLToPath(new URL('../../.peers/bin/cluster-api-vsphere', import.meta.url));

interface Snapshot {
  readonly cpuMs: number;
  readonly sideCpuMs: number;
  readonly calls: Readonly<Record<string, number>>;
}

async function snapshot(contender: Contender): Promise<Snapshot> {
  return {
    cpuMs: cpuMs(contender.managerIds),
    sideCpuMs: cpuMs(contender.sideIds),
    calls: await contender.calls(),
  };
}

/** SOAP methods are single words; REST calls consist of a verb and a path. */
function between(
  before: Snapshot,
  after: Snapshot,
): Pick<Cost, 'cpuMs' | 'sideCpuMs' | 'soapCalls' | 'restCalls' | 'calls'> {
  const calls = Object.entries(after.calls)
    .map(([name, total]) => [name, total - (before.calls[name] ?? 0)] as const)
    .filter(([name, made]) => made > 0 && !name.includes('/control/'))
    .sort(([, left], [, right]) => right - left);
  const sum = (isRest: boolean): number =>
    calls.filter(([name]) => name.includes(' ') === isRest).reduce((total, [, made]) => total + made, 0);
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    sideCpuMs: after.sideCpuMs - before.sideCpuMs,
    soapCalls: sum(false),
    restCalls: sum(true),
    calls: Object.fromEntries(calls),
  };
}

async function measure(start: () => Promise<Contender>): Promise<Round> {
  const contender = await start();
  const fleet = { clusters: count, limitMs };
  try {
    const empty = await snapshot(contender);
    const launchMs = await launchFleet(contender, fleet);
    const full = await snapshot(contender);
    const megabytes = residentMegabytes(contender.sideIds);
    const sessions = await contender.sessions();
    const removeMs = await removeFleet(contender, fleet);
    const gone = await snapshot(contender);
    return {
      made: { ...between(empty, full), wallMs: launchMs, megabytes, sessions },
      removed: {
        ...between(full, gone),
        wallMs: removeMs,
        megabytes: residentMegabytes(contender.sideIds),
        sessions: await contender.sessions(),
      },
    };
  } catch (error) {
    console.error(contender.log().slice(-8_000));
    throw error;
  } finally {
    await contender.stop();
  }
}

function show(name: string, costs: Round): void {
  for (const [phase, { calls, ...cost }] of Object.entries(costs))
    console.log(name, phase, { ...cost, ...(flags.calls && { calls }) });
}

const comparesUpstream = !flags.alone && existsSync(stockManager);
if (!comparesUpstream && !flags.alone)
  console.log('measuring only Slipway: upstream is not built; build it with `npm run peers -- cluster-api-vsphere`');
const contenders = [
  ['manager', startSlipway],
  ['embedded', startEmbedded],
  ['upstream', startUpstream],
] as const;
const results: Record<(typeof contenders)[number][0], Round[]> = { manager: [], embedded: [], upstream: [] };
for (let round = 0; round < Number(flags.rounds); round += 1) {
  for (const [name, start] of contenders.filter(([each]) => comparesUpstream || each !== 'upstream')) {
    const costs = await measure(start);
    results[name].push(costs);
    show(name, costs);
  }
}
const text = reportText({ clusters: count, machines: count * machinesEach, ...results });
if (flags.write) writeFileSync(reportFile, text);
else console.log(text);
