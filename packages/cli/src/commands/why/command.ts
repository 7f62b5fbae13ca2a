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

export interface WhyOptions extends TargetFlags {
  readonly watch: boolean;
  readonly output?: OutputFormat;
}

export function whyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('why')
    .summary('Explain why an object is not ready or not deleted')
    .description(
      'Follow the dependencies of an object to the root cause, and print the evidence and the next step. A name without ' +
        'a kind is the name of a cluster. Exit codes: 0 if the object is ready, 1 if an action is required, 6 if it is ' +
        'only waiting.',
    )
    .argument('<object...>', 'Object, as for kubectl: kind/name, or kind name.')
    .option('-w, --watch', 'Watch until the object is ready, and print every change.', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway why demo
  slipway why machine/demo-workers-x7k2p
  slipway why kcp demo -o json | jq .root.next`,
    )
    .action(async (args: string[], options: WhyOptions) => {
      const { why } = await import('./run.js');
      setExitCode(await why(args, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
