import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
} from '../../options/common-options.js';

export interface TimelineOptions extends TargetFlags {
  readonly output?: OutputFormat;
}

export function timelineCommand(): Command {
  const command = new Command('timeline')
    .summary('how a cluster came about, and what took the time')
    .description(
      'Shows what happened when, from the manifest over the load balancer, the first control-plane machine, the others ' +
        'and the workers, to being available: from what the server has kept. The critical path is what would have to be ' +
        'quicker for the whole to be quicker.',
    )
    .argument('<cluster>', 'its name')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway timeline demo
  slipway timeline demo -o json | jq .criticalPath`,
    )
    .action(async (name: string, options: TimelineOptions) => {
      const { timeline } = await import('./run.js');
      await timeline(name, options);
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
