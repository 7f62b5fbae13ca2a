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
    .summary('why is it not ready, or not gone?')
    .description(
      'Walks from an object along all that it waits for to what is to blame, and says what was seen, and what to do ' +
        'next. A name alone is that of a cluster. Ends with 0 when all is well, 1 when somebody has to do something, ' +
        '6 when it only takes time.',
    )
    .argument('<object...>', 'as kubectl takes it: kind/name, or kind name')
    .option('-w, --watch', 'stay until all is well, and say it again when the answer changes', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway why demo
  slipway why machine/demo-workers-x7k2p
  slipway why kcp demo -o json | jq .root.next`,
    )
    .action(async (words: string[], options: WhyOptions) => {
      const { why } = await import('./run.js');
      setExitCode(await why(words, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
