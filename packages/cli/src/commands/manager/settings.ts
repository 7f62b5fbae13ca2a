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
  SettingError,
} from '@slipway/runtime';
import { CliError, exitCodes } from '../../errors/index.js';
import { ignoredFlags, type ManagerFlags } from './command.js';

export interface ManagerSettings {
  readonly flags: ManagerFlags;
  readonly chosen: ChosenControllers;
  readonly leaseTimes: LeaseTimes;
}

/** Validates all flags that can be validated without a server. */
export function readSettings(
  flags: ManagerFlags,
  rest: readonly string[],
  sets: readonly ControllerSet[],
): ManagerSettings {
  if (flags.leaderElect && flags.shards !== undefined)
    throw usage('--leader-elect cannot be used with --shards: each shard has its own lease', 'remove one of the flags');
  if (flags.dryRun) checkDryRun(flags);
  const chosen = choose(flags, readControllerFlags(flags.concurrency, rest, sets), sets);
  if (chosen.controllers.length === 0)
    throw usage('no controller is enabled', 'select controllers with --controllers, or enable their feature gates');
  checkAddress('--diagnostics-address', flags.diagnosticsAddress);
  checkAddress('--health-addr', flags.healthAddr);
  return { flags, chosen, leaseTimes: readLeaseTimes(flags) };
}

/**
 * Rejects flags that require writes: a dry run installs no CRDs and holds no Lease. A held Lease would also stop the active
 * manager.
 */
function checkDryRun({ leaderElect, shards, installCrds }: ManagerFlags): void {
  const refused = [
    ...(leaderElect ? ['--leader-elect'] : []),
    ...(shards === undefined ? [] : ['--shards']),
    ...(installCrds ? ['--install-crds'] : []),
  ];
  if (refused.length > 0)
    throw usage(`--dry-run cannot be used with ${refused.join(' and ')}`, 'remove --dry-run or the other flag');
}

function usage(message: string, remedy = 'run `slipway manager --help` for usage'): CliError {
  return new CliError(message, { remedy, exitCode: exitCodes.usage });
}

function choose(flags: ManagerFlags, given: ControllerFlags, sets: readonly ControllerSet[]): ChosenControllers {
  try {
    return selectControllers(sets, {
      controllers: flags.controllers,
      featureGates: flags.featureGates,
      ...given,
    });
  } catch (error) {
    if (error instanceof FeatureGateError) throw usage(`--feature-gates: ${error.message}`);
    if (error instanceof ControllerChoiceError || error instanceof SettingError) throw usage(error.message);
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
      `invalid leader election durations: ${(error as Error).message}`,
      'check --leader-elect-lease-duration, --leader-elect-renew-deadline and --leader-elect-retry-period',
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

/** Parses values of --concurrency, `name=number`. */
function readPairs(pairs: readonly string[]): Map<string, number> {
  const concurrency = new Map<string, number>();
  for (const pair of pairs) {
    const [, name = '', text = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (name === '') throw usage(`invalid --concurrency "${pair}": must be name=number`);
    concurrency.set(name, positive(`--concurrency ${name}`, text));
  }
  return concurrency;
}

interface ControllerFlags {
  readonly concurrency: ReadonlyMap<string, number>;
  readonly settings: ReadonlyMap<string, string>;
}

/** Parses flags of the controllers, such as upstream's `--machine-concurrency 10`. The last occurrence of a flag wins. */
function readControllerFlags(
  pairs: readonly string[],
  rest: readonly string[],
  sets: readonly ControllerSet[],
): ControllerFlags {
  const concurrency = readPairs(pairs);
  const settings = new Map<string, string>();
  const widths = new Map<string, string>(
    sets.flatMap(({ controllers }) => controllers.map((each) => [`--${concurrencyFlagOf(each)}`, each.name] as const)),
  );
  const known = new Set(sets.flatMap((set) => set.settings?.map(({ flag }) => `--${flag}`) ?? []));
  for (let index = 0; index < rest.length; index += 1) {
    const [word, inline] = splitFlag(rest[index] ?? '');
    const controller = widths.get(word);
    const isIgnored = ignoredFlags.has(word.replace(/^--/, ''));
    if (controller === undefined && !known.has(word) && !isIgnored) throw unknownWord(rest[index] ?? '');
    if (inline === undefined) index += 1;
    if (isIgnored) continue;
    const text = inline ?? rest[index];
    if (text === undefined) throw usage(`${word} needs a value`);
    if (controller === undefined) settings.set(word.slice(2), text);
    else concurrency.set(controller, positive(word, text));
  }
  return { concurrency, settings };
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
