import { Command } from 'commander';
import { addVerboseOption, type SetExitCode } from '../../options/common-options.js';
import { addManifestOptions, type PlanFlags } from '../../options/manifest-options.js';

export interface ApplyOptions extends PlanFlags {
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly follow: boolean;
}

export function applyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('apply')
    .summary('apply a manifest, and follow what comes of it')
    .description(
      'Applies a manifest by server-side apply. With --plan it first shows what the manifest will do to machines, ' +
        'asks, and follows until all of it has happened. Ctrl-C ends the following, not the work.',
    );
  addManifestOptions(command)
    .option('--plan', 'show the plan and ask first, then follow')
    .option('-y, --yes', 'do not ask')
    .option('--no-follow', 'do not wait for the end')
    .addHelpText(
      'after',
      `
Examples:
  slipway apply --plan -f cluster.yaml
  slipway apply --plan --yes --forbid delete -f cluster.yaml`,
    )
    .action(async (options: ApplyOptions) => {
      const { apply } = await import('./run.js');
      setExitCode(await apply(options));
    });
  return addVerboseOption(command);
}
