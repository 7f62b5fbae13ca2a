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

/** For a command that writes: what it would write can be had as YAML instead. */
export function writing(command: Command): Command {
  return addTargetOptions(command).option('--print-yaml', 'print what would be written, and write nothing');
}

export function waiting(command: Command): Command {
  return command
    .option('--no-wait', 'do not wait until it is done')
    .addOption(new Option('--timeout <time>', 'how long to wait').default(900_000, '15m').argParser(parseMilliseconds));
}
