import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../errors/index.js';
import { defaultDataDirectory } from '../instance/index.js';

/** Tells the caller how the process is to end. */
export type SetExitCode = (code: ExitCode) => void;
export type OutputFormat = 'json' | 'yaml';

const dataDirectoryDescription = 'where everything is kept';

export function dataDirectoryOption(description = dataDirectoryDescription): Option {
  // The default is shown as words: help must not differ from one home directory to the next.
  return new Option('--data-dir <directory>', description).default(
    defaultDataDirectory(),
    '$XDG_DATA_HOME/slipway, ~/.local/share/slipway',
  );
}

/** For a command that works on a management cluster: see `withTarget`. */
export function addTargetOptions(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      'how to reach the management cluster; else $KUBECONFIG, a running `slipway up`, ~/.kube/config',
    )
    .option('--kubeconfig-context <name>', 'another context than the current one')
    .addOption(dataDirectoryOption('whose running `slipway up` to use'));
}

export function addNamespaceOption(command: Command): Command {
  return command.option('-n, --namespace <name>', 'where to look; else the namespace of the context');
}

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'print for a program').choices(['json', 'yaml']);
}

export function addVerboseOption(command: Command): Command {
  return command.option('-v, --verbose', 'say more, and show where errors came from');
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  }
  return count;
}

const millisecondsPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `30s`, `2m`, `1m30s`; a bare number counts seconds. */
export function parseMilliseconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d{1,9}(ms|s|m|h)){1,4}$/.test(text)) {
    throw new InvalidArgumentError('A time is a number of seconds, or something like 30s, 2m or 1m30s.');
  }
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) {
    total += Number(count) * (millisecondsPerUnit[unit ?? ''] ?? 0);
  }
  return total;
}

/** As Go's flags take it: `--flag`, `--flag=true`, `--flag=false`. */
export function parseSwitch(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new InvalidArgumentError('It is either true or false.');
}
