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
    .summary('Show the timeline of a cluster and its critical path')
    .description(
      'Show when each step of the creation of a cluster happened: the manifest, the load balancer, the first control ' +
        'plane machine, the other machines, Available, and every later upgrade, scaling and replacement. The data comes ' +
        'from the objects and the watch history of the server. Once the server has dropped the history of deleted machines, ' +
        'after five minutes by default, an upgrade is shown as a replacement. The critical path lists the steps that ' +
        'determined the total duration.',
    )
    .argument('<cluster>', 'Name of the cluster.')
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
