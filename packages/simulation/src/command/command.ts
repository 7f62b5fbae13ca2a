import { systemClock, systemRandom } from '@slipway/base';
import { makePlan, type Plan } from '../plan/plan.js';
import { simulate, type SimulationResult } from '../run/simulate.js';
import { shrink } from '../shrink/shrink.js';
import { type CommandOptions, parseOptions, usage, UsageError } from './options.js';

const hourMs = 3_600_000;

/** Runs seeds and reports the results. Returns 0 if all invariants held, 1 if one was violated, 2 for invalid options. */
export async function runCommand(given: readonly string[], print: (text: string) => void): Promise<number> {
  let options: CommandOptions;
  try {
    options = parseOptions(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(`${error.message}\n\n${usage}`);
    return 2;
  }
  let failed = 0;
  let simulatedMs = 0;
  let runs = 0;
  for (const seed of seedsOf(options)) {
    const result = await runSeed(seed, options, print);
    runs += 1;
    simulatedMs += result.simulatedMs;
    if (result.violation === undefined) continue;
    failed += 1;
    if (!options.keepGoing) break;
  }
  print(`${runs} seeds, ${failed} failed, ${(simulatedMs / hourMs).toFixed(1)} simulated hours`);
  return failed === 0 ? 0 : 1;
}

function* seedsOf({ first, last, hours }: CommandOptions): Iterable<number> {
  if (hours === undefined) {
    for (let seed = first; seed <= last; seed += 1) yield seed;
    return;
  }
  const end = systemClock.monotonic() + hours * hourMs;
  while (systemClock.monotonic() < end) yield Math.floor(systemRandom.next() * 2 ** 31);
}

async function runSeed(
  seed: number,
  options: CommandOptions,
  print: (text: string) => void,
): Promise<SimulationResult> {
  const { clusters, minutes, transcript, resync, scenario } = options;
  const before = process.cpuUsage();
  const plan = makePlan({ seed, clusters, minutes, resync, scenario });
  // Capture stack traces only for a transcript: the simulation rejects many writes, and a stack trace for each would be slow.
  Error.stackTraceLimit = transcript ? 20 : 0;
  const result = await simulate(plan, transcript ? { onLine: print } : {});
  const { user, system } = process.cpuUsage(before);
  const seconds = ((user + system) / 1e6).toFixed(1);
  const hours = (result.simulatedMs / hourMs).toFixed(1);
  const outcome = result.violation === undefined ? 'ok' : `FAILED ${result.violation.message}`;
  const digest = result.transcript.digest().slice(0, 12);
  print(`seed ${seed} ${plan.shape} ${digest}: ${hours} h, ${result.writes} writes, ${seconds} s of CPU: ${outcome}`);
  if (result.violation !== undefined) await reportFailure(result, options, print);
  return result;
}

async function reportFailure(
  result: SimulationResult,
  options: CommandOptions,
  print: (text: string) => void,
): Promise<void> {
  const { transcript, shrink: wantsShorter } = options;
  if (!transcript) print(result.transcript.lines.slice(-160).join('\n'));
  if (wantsShorter) {
    const shorter = await shrink(result, print);
    print(`smallest failing history:\n${historyOf(shorter.plan).join('\n')}`);
  }
  print(`replay: npm run sim -- --seed ${result.plan.seed} ${sizeOf(options)} --transcript`);
}

/** Formats the options that, together with the seed, determine a run. */
function sizeOf({ clusters, minutes, resync, scenario }: CommandOptions): string {
  const rest = [resync ? '' : ' --no-resync', scenario === undefined ? '' : ` --scenario ${scenario}`];
  return `--clusters ${clusters} --minutes ${minutes}${rest.join('')}`;
}

function historyOf(plan: Plan): string[] {
  const events = [...plan.actions, ...plan.faults].sort((left, right) => left.atMs - right.atMs);
  return events.map((event) => {
    const force = 'force' in event ? ` force ${event.force.toFixed(2)} for ${event.ms} ms` : '';
    return `  ${(event.atMs / 1_000).toFixed(1)} s: ${event.kind} c${event.cluster}${force}`;
  });
}
