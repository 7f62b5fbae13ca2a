import { parseArgs } from 'node:util';
import { type ScenarioName, scenarioNames } from '../run/scenarios.js';

export interface CommandOptions {
  readonly first: number;
  readonly last: number;
  readonly clusters: number;
  readonly minutes: number;
  /** Print everything that happens, as it happens. */
  readonly transcript: boolean;
  /** Take away from a failing run what it does not need to fail. */
  readonly shrink: boolean;
  /** Go on with the next seed after one has failed. */
  readonly keepGoing: boolean;
  /** Fresh seeds for so long, in real time, instead of a range. */
  readonly hours: number | undefined;
  readonly resync: boolean;
  /** One mechanism under pressure instead of a little of everything. */
  readonly scenario: ScenarioName | undefined;
}

export class UsageError extends Error {}

export const usage = `npm run sim -- [--seed N | --seeds A..B] [--clusters N] [--minutes N] [--transcript] [--shrink] [--keep-going] [--hours N] [--no-resync] [--scenario NAME]

  --seed N        replay one seed
  --seeds A..B    run a range of seeds (1..20 when neither is given)
  --clusters N    clusters in each run (20)
  --minutes N     how long users and faults are at work, in simulated minutes (30)
  --transcript    print everything that happens
  --shrink        look for a shorter history that fails in the same way
  --keep-going    do not stop at the first seed that fails
  --hours N       run fresh seeds for so many hours of real time
  --no-resync     controllers never look at what did not change, so that a missed event shows
  --scenario NAME press on one mechanism: ${scenarioNames.join(', ')}`;

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
  throw new UsageError(`--scenario ${text}: there are ${scenarioNames.join(', ')}`);
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
    throw new UsageError(`${option} wants a whole number above zero, not ${JSON.stringify(text)}`);
  return number;
}
