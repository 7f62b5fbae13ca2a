import {
  checkLeaseTimes,
  type ChosenControllers,
  concurrencyFlagOf,
  ControllerChoiceError,
  type ControllerSet,
  FeatureGateError,
  type LeaseTimes,
  parseAddress,
  selectControllers,
} from '@slipway/runtime';
import type { ManagerFlags } from '../commands/manager.js';
import { CliError, exitCodes } from '../errors/index.js';

export interface ManagerSettings {
  readonly flags: ManagerFlags;
  readonly chosen: ChosenControllers;
  readonly leaseTimes: LeaseTimes;
}

/** Everything that can be judged before a server is asked. */
export function readSettings(
  flags: ManagerFlags,
  rest: readonly string[],
  sets: readonly ControllerSet[],
): ManagerSettings {
  if (flags.leaderElect && flags.shards !== undefined)
    throw usage('--leader-elect and --shards exclude each other: each shard has a lease of its own', 'leave one out');
  const chosen = choose(flags, readConcurrency(flags.concurrency, rest, sets), sets);
  if (chosen.controllers.length === 0)
    throw usage('no controller is left to run', 'name some with --controllers, or open their feature gates');
  checkAddress('--diagnostics-address', flags.diagnosticsAddress);
  checkAddress('--health-addr', flags.healthAddr);
  return { flags, chosen, leaseTimes: readLeaseTimes(flags) };
}

function usage(message: string, remedy = '`slipway manager --help` shows what there is'): CliError {
  return new CliError(message, { remedy, exitCode: exitCodes.usage });
}

function choose(
  flags: ManagerFlags,
  concurrency: ReadonlyMap<string, number>,
  sets: readonly ControllerSet[],
): ChosenControllers {
  try {
    return selectControllers(sets, {
      controllers: flags.controllers,
      concurrency,
      featureGates: flags.featureGates,
    });
  } catch (error) {
    if (error instanceof FeatureGateError) throw usage(`--feature-gates: ${error.message}`);
    if (error instanceof ControllerChoiceError) throw usage(error.message);
    throw error;
  }
}

function readLeaseTimes(flags: ManagerFlags): LeaseTimes {
  const times = {
    leaseDurationMs: flags.leaderElectLeaseDuration,
    renewDeadlineMs: flags.leaderElectRenewDeadline,
    retryPeriodMs: flags.leaderElectRetryPeriod,
  };
  try {
    checkLeaseTimes(times);
    return times;
  } catch (error) {
    throw usage(
      `the times of the election do not fit: ${(error as Error).message}`,
      'see --leader-elect-lease-duration, --leader-elect-renew-deadline and --leader-elect-retry-period',
    );
  }
}

function checkAddress(name: string, address: string): void {
  if (address === '' || address === '0') return;
  try {
    parseAddress(address);
  } catch (error) {
    throw usage(`${name}: ${(error as Error).message}`);
  }
}

/** `name=number` of --concurrency, and upstream's `--machine-concurrency 10`; the last word counts. */
function readConcurrency(
  pairs: readonly string[],
  rest: readonly string[],
  sets: readonly ControllerSet[],
): ReadonlyMap<string, number> {
  const concurrency = new Map<string, number>();
  for (const pair of pairs) {
    const [, name = '', text = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (name === '') throw usage(`--concurrency takes name=number, not "${pair}"`);
    concurrency.set(name, positive(`--concurrency ${name}`, text));
  }
  const flagNames = new Map<string, string>(
    sets.flatMap(({ controllers }) => controllers.map((each) => [`--${concurrencyFlagOf(each)}`, each.name] as const)),
  );
  for (let index = 0; index < rest.length; index += 1) {
    const [word, inline] = splitFlag(rest[index] ?? '');
    const name = flagNames.get(word);
    if (name === undefined) throw unknownWord(rest[index] ?? '');
    if (inline === undefined) index += 1;
    concurrency.set(name, positive(word, inline ?? rest[index] ?? ''));
  }
  return concurrency;
}

function splitFlag(word: string): [string, string | undefined] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function unknownWord(word: string): CliError {
  return usage(word.startsWith('-') ? `unknown option '${word}'` : `unexpected argument '${word}'`);
}

function positive(what: string, text: string): number {
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number < 1) throw usage(`${what} must be a whole number, 1 or more; it is "${text}"`);
  return number;
}
