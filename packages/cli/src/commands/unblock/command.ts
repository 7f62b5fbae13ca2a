import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  type SetExitCode,
} from '../../options/common-options.js';

export interface UnblockOptions extends TargetFlags {
  readonly reason?: string;
  readonly finalizer: readonly string[];
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly output?: OutputFormat;
}

export function unblockCommand(setExitCode: SetExitCode): Command {
  const command = new Command('unblock')
    .summary('Force-delete a stuck object and report what it leaves behind')
    .description(
      'Remove the finalizers of an object whose deletion is stuck. The command first reports the resources that will not ' +
        'be cleaned up, and asks for confirmation. User, time and reason are recorded in an event and an annotation.',
    )
    .argument('<object...>', 'Object, as for kubectl: kind/name, or kind name.')
    .option('--reason <text>', 'Reason to record.')
    .option(
      '--finalizer <name>',
      'Remove only this finalizer. Can be repeated.',
      (name, all: readonly string[]) => [...all, name],
      [],
    )
    .option('--yes', 'Skip the confirmation.', false)
    .option('--dry-run', 'Report what would be left behind without changing the object.', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway why machine/demo-x7k2p
  slipway unblock devmachine/demo-x7k2p --dry-run
  slipway unblock devmachine/demo-x7k2p --reason "host was decommissioned"`,
    )
    .action(async (args: string[], options: UnblockOptions) => {
      const { unblock } = await import('./run.js');
      setExitCode(await unblock(args, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
