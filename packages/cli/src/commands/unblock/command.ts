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
    .summary('let go of an object that does not go, and see what leaks')
    .description(
      'Takes the finalizers off an object that is being deleted and does not go. Before that it says what nobody will ' +
        'clean up then, and asks. Who did it, when and why stays in an event and in an annotation.',
    )
    .argument('<object...>', 'as kubectl takes it: kind/name, or kind name')
    .option('--reason <text>', 'why: it is written down')
    .option(
      '--finalizer <name>',
      'only this one; may be given again',
      (name, all: readonly string[]) => [...all, name],
      [],
    )
    .option('--yes', 'do not ask', false)
    .option('--dry-run', 'only say what would leak', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway why machine/demo-x7k2p
  slipway unblock devmachine/demo-x7k2p --dry-run
  slipway unblock devmachine/demo-x7k2p --reason "the host is gone"`,
    )
    .action(async (words: string[], options: UnblockOptions) => {
      const { unblock } = await import('./run.js');
      setExitCode(await unblock(words, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
