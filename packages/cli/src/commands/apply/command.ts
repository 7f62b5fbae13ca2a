import { Command } from 'commander';
import { addVerboseOption, type SetExitCode } from '../../options/common-options.js';
import { addManifestOptions, type PlanFlags } from '../../options/manifest-options.js';

export interface ApplyOptions extends Omit<PlanFlags, 'filename'> {
  readonly filename?: readonly string[];
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly follow: boolean;
}

export function applyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('apply')
    .summary('Apply a manifest or a saved plan and follow the rollout')
    .argument(
      '[plan-file]',
      'Plan file written by `slipway plan --out`. Rejected if any of its objects has changed since.',
    )
    .description(
      'Apply a manifest with server-side apply. With --plan the command first prints which machines the manifest ' +
        'changes, asks for confirmation, and then follows the rollout to its end. A plan file is applied without ' +
        'confirmation. Ctrl-C stops following; the rollout continues.',
    );
  addManifestOptions(command, { isOptional: true })
    .option('--plan', 'Print the plan, ask for confirmation, then follow the rollout.')
    .option('-y, --yes', 'Skip the confirmation.')
    .option('--no-follow', 'Exit after the manifest is applied.')
    .addHelpText(
      'after',
      `
Examples:
  slipway apply --plan -f cluster.yaml
  slipway apply --plan --yes --forbid delete -f cluster.yaml
  slipway apply plan.json`,
    )
    .action(async (planFile: string | undefined, options: ApplyOptions) => {
      const { apply } = await import('./run.js');
      setExitCode(await apply(planFile, options));
    });
  return addVerboseOption(command);
}
