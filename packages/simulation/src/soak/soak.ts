import { execFileSync } from 'node:child_process';
import { systemClock } from '@slipway/base';
import { UsageError } from '../command/options.js';
import { parseSoakOptions, type SoakOptions, soakUsage } from './soak-options.js';
import { SoakRecord } from './soak-record.js';
import { SoakWorker } from './soak-worker.js';

const hourMs = 3_600_000;

/** Runs the seeds that have not passed yet. Returns 0 if all passed, 1 if one failed, 2 for an invalid option. */
export async function runSoak(given: readonly string[], print: (text: string) => void): Promise<number> {
  let options: SoakOptions;
  try {
    options = parseSoakOptions(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(`${error.message}\n\n${soakUsage}`);
    return 2;
  }
  const record = new SoakRecord(options.record, options);
  const left = seedsLeft(options, record);
  const workers = Array.from({ length: options.workers }, () => new SoakWorker());
  try {
    await Promise.all(workers.map((worker) => work(worker, left, options, record, print)));
  } finally {
    for (const worker of workers) worker.stop();
  }
  print(summaryOf(record));
  return record.failed.length === 0 ? 0 : 1;
}

function* seedsLeft({ first, count, hours }: SoakOptions, record: SoakRecord): Generator<number> {
  const end = hours === undefined ? Number.POSITIVE_INFINITY : systemClock.monotonic() + hours * hourMs;
  for (let seed = first; seed < first + count; seed += 1) {
    if (systemClock.monotonic() > end) return;
    if (!record.hasPassed(seed)) yield seed;
  }
}

/** Runs one worker. All workers take their seeds from the same sequence. */
async function work(
  worker: SoakWorker,
  seeds: Generator<number>,
  { clusters, minutes, scenario }: SoakOptions,
  record: SoakRecord,
  print: (text: string) => void,
): Promise<void> {
  const version = commit();
  for (let next = seeds.next(); next.done !== true; next = seeds.next()) {
    const seed = next.value;
    const answer = await worker.run({ seed, clusters, minutes, scenario });
    record.add({ seed, clusters, minutes, scenario, version, ...answer });
    const seconds = (answer.cpuMs / 1_000).toFixed(1);
    const simulated = (answer.simulatedMs / hourMs).toFixed(2);
    const cost = `${simulated} simulated hours, ${answer.writes} writes, ${seconds} s of CPU`;
    print(`seed ${seed}: ${cost}: ${answer.violation ?? 'ok'}`);
  }
}

function summaryOf({ passed, failed }: SoakRecord): string {
  const simulatedHours = passed.reduce((sum, { simulatedMs }) => sum + simulatedMs, 0) / hourMs;
  const cpuMs = passed.reduce((sum, entry) => sum + entry.cpuMs, 0);
  const clusters = passed.reduce((sum, entry) => sum + entry.clusters, 0);
  const versions = new Set(passed.map(({ version }) => version)).size;
  const counted = `${passed.length} seeds have passed, ${clusters} clusters, ${simulatedHours.toFixed(1)} simulated hours`;
  const perSeed = (cpuMs / 1_000 / Math.max(passed.length, 1)).toFixed(1);
  const spent = `${(cpuMs / hourMs).toFixed(2)} hours of CPU, ${perSeed} s for each seed, ${versions} versions of the code`;
  return [`${counted}, ${spent}`, `${failed.length} failed${failed.map(({ seed }) => ` ${seed}`).join('')}`].join('\n');
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
