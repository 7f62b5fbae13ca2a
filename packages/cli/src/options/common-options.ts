import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../errors/index.js';
import { defaultDataDirectory } from '../instance/index.js';

/** Sets the exit code of the process. */
export type SetExitCode = (code: ExitCode) => void;
export type OutputFormat = 'json' | 'yaml';

const dataDirectoryDescription = 'Data directory of the management plane.';

export function dataDirectoryOption(description = dataDirectoryDescription): Option {
  // The default is spelled out so that help does not depend on the home directory.
  return new Option('--data-dir <directory>', description).default(
    defaultDataDirectory(),
    '$XDG_DATA_HOME/slipway, ~/.local/share/slipway',
  );
}

/** `--context` and `--kubeconfig-context` set the same value: the first is kubectl's name, the second clusterctl's. */
class ContextOption extends Option {
  override attributeName(): string {
    return 'kubeconfigContext';
  }
}

export function contextOption(): Option {
  return new ContextOption('--context <name>', 'Context of the kubeconfig. Defaults to the current context.');
}

export function kubeconfigContextOption(): Option {
  return new ContextOption('--kubeconfig-context <name>', 'Alias of --context.').hideHelp();
}

/** Adds the flags of a command that works on a management cluster: see `withTarget`. */
export function addTargetOptions(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      'Kubeconfig of the management cluster. Defaults to $KUBECONFIG, a running `slipway up`, or ~/.kube/config, in this order.',
    )
    .addOption(contextOption())
    .addOption(kubeconfigContextOption())
    .addOption(dataDirectoryOption('Data directory of the `slipway up` process to connect to.'));
}

export function addNamespaceOption(command: Command): Command {
  return command.option('-n, --namespace <name>', 'Namespace. Defaults to the namespace of the context.');
}

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'Output format.').choices(['json', 'yaml']);
}

export function addExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

export function addVerboseOption(command: Command): Command {
  return command.option('-v, --verbose', 'Print more details, and the stack trace of an error.');
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port must be a number from 0 to 65535.');
  return port;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('The value must be a whole number, 0 or greater.');
  }
  return count;
}

const millisecondsPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration: `30s`, `2m`, `1m30s`; a bare number is in seconds. */
export function parseMilliseconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d{1,9}(ms|s|m|h)){1,4}$/.test(text)) {
    throw new InvalidArgumentError('A duration must be a number of seconds, or have a unit, such as 30s, 2m or 1m30s.');
  }
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) {
    total += Number(count) * (millisecondsPerUnit[unit ?? ''] ?? 0);
  }
  return total;
}

/** Parses the boolean syntax of Go flags: `--flag`, `--flag=true`, `--flag=false`. */
export function parseSwitch(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new InvalidArgumentError('The value must be true or false.');
}
