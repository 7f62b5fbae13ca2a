import { Command } from 'commander';
import { addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';

export interface ReleaseFlags {
  readonly out: string;
  readonly output?: OutputFormat;
}

export function releaseCommand(): Command {
  const command = new Command('release')
    .summary('write the files of the built-in providers for stock clusterctl')
    .description(
      'Writes metadata.yaml, *-components.yaml and cluster-template*.yaml of every built-in provider as a local repository ' +
        'of clusterctl, with a clusterctl.yaml that names them: stock clusterctl takes them for providers like any other.',
    )
    .option('--out <directory>', 'where to write', 'release')
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
