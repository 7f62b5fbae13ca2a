import { Command } from 'commander';
import { addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

export interface ImagePruneOptions {
  readonly dataDir: string;
}

export function imagePruneCommand(): Command {
  const command = new Command('prune')
    .summary('remove disk images that no machine uses')
    .description(
      'Removes disk images from the store of this computer that no KVMMachine was made from and that have no name. ' +
        'Machines may run, and be made, meanwhile.',
    )
    .addOption(dataDirectoryOption('whose images are to go'))
    .addHelpText(
      'after',
      `
Examples:
  slipway image prune`,
    )
    .action(async (options: ImagePruneOptions) => {
      const { pruneStoredImages } = await import('./run-prune.js');
      await pruneStoredImages(options);
    });
  return addVerboseOption(command);
}
