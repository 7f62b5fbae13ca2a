import { type Command, Option } from 'commander';
import { addTargetOptions, type OutputFormat, parseMilliseconds } from '../../options/common-options.js';

export interface DriversFlags {
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
  readonly printYaml?: boolean;
  readonly output?: OutputFormat;
  readonly wait?: boolean;
  readonly timeout?: number;
}

/** Flags of a command that writes objects. */
export function writing(command: Command): Command {
  return addTargetOptions(command).option('--print-yaml', 'Print the objects as YAML without writing them.');
}

export function waiting(command: Command): Command {
  return command
    .option('--no-wait', 'Do not wait for completion.')
    .addOption(
      new Option('--timeout <time>', 'Maximum duration of the wait.')
        .default(900_000, '15m')
        .argParser(parseMilliseconds),
    );
}
