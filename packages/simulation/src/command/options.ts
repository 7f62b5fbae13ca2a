import { parseArgs } from 'node:util';
import { type ScenarioName, scenarioNames } from '../plan/scenarios.js';

export interface CommandOptions {
  readonly first: number;
  readonly last: number;
  readonly clusters: number;
  readonly minutes: number;
  /** Print every event as it happens. */
  readonly transcript: boolean;
  /** Shrink a failing run to the smallest history that still fails. */
  readonly shrink: boolean;
  /** Continue with the next seed after a failure. */
  readonly keepGoing: boolean;
  /** Run fresh seeds for this long in real time, instead of a range. */
  readonly hours: number | undefined;
  readonly resync: boolean;
  /** Stress one mechanism instead of running the default mix of faults. */
  readonly scenario: ScenarioName | undefined;
}

export class UsageError extends Error {}

export const usage = `npm run sim -- [--seed N | --seeds A..B] [--clusters N] [--minutes N] [--transcript] [--shrink] [--keep-going] [--hours N] [--no-resync] [--scenario NAME]

  --seed N        replay one seed
  --seeds A..B    run a range of seeds (default 1..20)
  --clusters N    clusters in each run (default 20)
  --minutes N     simulated minutes with user actions and faults (default 30)
  --transcript    print every event
  --shrink        find a shorter history that fails in the same way
  --keep-going    continue after a failed seed
  --hours N       run fresh seeds for N hours of real time
  --no-resync     disable resyncs, so that every missed event is noticed
  --scenario NAME stress one mechanism: ${scenarioNames.join(', ')}`;

export function parseOptions(given: readonly string[]): CommandOptions {
  const { values } = parse(given);
  const [first, last] = rangeOf(values.seeds ?? values.seed ?? '1..20');
  return {
    first,
    last,
    clusters: numberOf(values.clusters, '--clusters'),
    minutes: numberOf(values.minutes, '--minutes'),
    transcript: values.transcript,
    shrink: values.shrink,
    keepGoing: values['keep-going'],
    resync: !values['no-resync'],
    scenario: scenarioOf(values.scenario),
    hours: values.hours === undefined ? undefined : numberOf(values.hours, '--hours'),
  };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        clusters: { type: 'string', default: '20' },
        minutes: { type: 'string', default: '30' },
        transcript: { type: 'boolean', default: false },
        shrink: { type: 'boolean', default: false },
        hours: { type: 'string' },
        scenario: { type: 'string' },
        'no-resync': { type: 'boolean', default: false },
        'keep-going': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function scenarioOf(text: string | undefined): ScenarioName | undefined {
  const found = scenarioNames.find((name) => name === text);
  if (text === undefined || found !== undefined) return found;
  throw new UsageError(`--scenario ${text}: must be one of ${scenarioNames.join(', ')}`);
}

function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.split('..');
  const range: [number, number] = [numberOf(first, '--seeds'), numberOf(last, '--seeds')];
  if (range[0] > range[1]) throw new UsageError(`--seeds ${text}: the first seed comes after the last`);
  return range;
}

export function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new UsageError(`${option} requires an integer above zero, not ${JSON.stringify(text)}`);
  return number;
}
