import { Command, Option } from 'commander';
import { addVerboseOption, type OutputFormat, type SetExitCode } from '../../options/common-options.js';
import { addManifestOptions, type PlanFlags } from '../../options/manifest-options.js';

export interface PlanOptions extends PlanFlags {
  readonly delete?: boolean;
  readonly output?: OutputFormat | 'markdown';
  readonly out?: string;
}

export function planCommand(setExitCode: SetExitCode): Command {
  const command = new Command('plan')
    .summary('Preview which machines a manifest creates, replaces or deletes')
    .description(
      'Print which machines a manifest creates, replaces, updates in place or deletes, in which order and why. The ' +
        'controllers run on an in-memory copy of the Clusters that the manifest touches, with simulated time and machines. ' +
        'The management cluster is not changed. The exit code is 0 without changes, 9 with changes, 10 if the change ' +
        'is blocked, 11 if the simulation does not reach a stable state, and 7 if the plan contains a --forbid outcome.',
    );
  addManifestOptions(command)
    .option('--delete', 'Plan the deletion of the objects in the manifest.')
    .option('--out <file>', 'Also write the plan to a file for `slipway apply FILE`.')
    .addOption(new Option('-o, --output <format>', 'Output format.').choices(['json', 'yaml', 'markdown']))
    .addHelpText(
      'after',
      `
Examples:
  slipway plan -f cluster.yaml
  slipway plan -f cluster.yaml --delete
  slipway plan -f cluster.yaml --out plan.json; slipway apply plan.json
  slipway plan -f cluster.yaml -o markdown
  slipway plan -f cluster.yaml --forbid replace --forbid delete
  kustomize build . | slipway plan -f - -o json`,
    )
    .action(async (options: PlanOptions) => {
      const { plan } = await import('./run.js');
      setExitCode(await plan(options));
    });
  return addVerboseOption(command);
}
