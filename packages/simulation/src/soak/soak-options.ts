import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { numberOf, scenarioOf, UsageError } from '../command/options.js';
import { type ScenarioName, scenarioNames } from '../plan/scenarios.js';

export interface SoakOptions {
  readonly first: number;
  readonly count: number;
  readonly workers: number;
  readonly clusters: number;
  readonly minutes: number;
  readonly scenario: ScenarioName | undefined;
  /** Maximum duration in real time. */
  readonly hours: number | undefined;
  readonly record: string;
}

export const soakUsage = `npm run sim:soak -- [--count N] [--first N] [--workers N] [--hours N] [--clusters N] [--minutes N] [--scenario NAME] [--record FILE]

  --count N       total number of seeds that must pass, including earlier runs (default 10000)
  --first N       first seed (default 1)
  --workers N     number of parallel processes (default: one per core)
  --hours N       stop after N hours of real time; the next run continues
  --clusters N    clusters in each run (default 20)
  --minutes N     simulated minutes with user actions and faults (default 30)
  --scenario NAME stress one mechanism: ${scenarioNames.join(', ')}
  --record FILE   file with the results (default packages/simulation/dist/soak.jsonl)`;

export function parseSoakOptions(given: readonly string[]): SoakOptions {
  const values = parse(given);
  return {
    first: numberOf(values.first, '--first'),
    count: numberOf(values.count, '--count'),
    workers: numberOf(values.workers, '--workers'),
    clusters: numberOf(values.clusters, '--clusters'),
    minutes: numberOf(values.minutes, '--minutes'),
    scenario: scenarioOf(values.scenario),
    hours: values.hours === undefined ? undefined : numberOf(values.hours, '--hours'),
    record: values.record,
  };
}

function parse(given: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...given],
      options: {
        count: { ...text, default: '10000' },
        first: { ...text, default: '1' },
        workers: { ...text, default: String(availableParallelism()) },
        clusters: { ...text, default: '20' },
        minutes: { ...text, default: '30' },
        record: { ...text, default: 'packages/simulation/dist/soak.jsonl' },
        hours: text,
        scenario: text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
