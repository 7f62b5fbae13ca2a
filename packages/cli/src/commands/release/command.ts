import { Command } from 'commander';
import { addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';

export interface ReleaseFlags {
  readonly out: string;
  readonly output?: OutputFormat;
}

export function releaseCommand(): Command {
  const command = new Command('release')
    .summary('Write the built-in providers as a clusterctl repository')
    .description(
      'Write metadata.yaml, *-components.yaml and cluster-template*.yaml of every built-in provider as a local clusterctl ' +
        'repository, with a clusterctl.yaml that lists them. Upstream clusterctl can then install these providers.',
    )
    .option('--out <directory>', 'Directory to write.', 'release')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway release --out ./repository
  clusterctl --config ./repository/clusterctl.yaml init --infrastructure dev`,
    )
    .action(async (flags: ReleaseFlags) => {
      const { release } = await import('./run.js');
      await release(flags);
    });
  return addVerboseOption(command);
}
