import { Command } from 'commander';
import { addVerboseOption, type OutputFormat, outputOption, type SetExitCode } from '../../options/common-options.js';
import { addManifestOptions, type PlanFlags } from '../../options/manifest-options.js';

export interface PlanOptions extends PlanFlags {
  readonly delete?: boolean;
  readonly output?: OutputFormat;
}

export function planCommand(setExitCode: SetExitCode): Command {
  const command = new Command('plan')
    .summary('say what a manifest will do to machines')
    .description(
      'Says which machines a manifest will create, replace, update in place or delete, in which order and why. ' +
        'The controllers run on a copy of the management cluster in memory, in simulated time and on simulated ' +
        'machines. Nothing is changed.',
    );
  addManifestOptions(command)
    .option('--delete', 'what deleting the objects of the manifest will do')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway plan -f cluster.yaml
  slipway plan -f cluster.yaml --delete
  slipway plan -f cluster.yaml --forbid replace --forbid delete
  kustomize build . | slipway plan -f - -o json`,
    )
    .action(async (options: PlanOptions) => {
      const { plan } = await import('./run.js');
      setExitCode(await plan(options));
    });
  return addVerboseOption(command);
}
