import { Command } from 'commander';
import {
  addExamples,
  addVerboseOption,
  dataDirectoryOption,
  outputOption,
  type OutputFormat,
} from '../../options/common-options.js';
import { encryptionOption } from '../../options/encryption-option.js';

export interface RewriteOptions {
  readonly dataDir: string;
  readonly encryptionProviderConfig?: string;
  readonly output?: OutputFormat;
}

export function storageCommand(): Command {
  return new Command('storage')
    .summary('Maintain the stored objects of a stopped management plane')
    .description('Maintain the stored objects of a stopped management plane.')
    .addCommand(rewriteCommand());
}

function rewriteCommand(): Command {
  const command = new Command('rewrite')
    .summary('Encrypt all stored objects with the current key')
    .description(
      'Write all stored objects into a new data file, encrypted with the first provider of the configuration, and remove the ' +
        'old file. Run it after keys were added, rotated or removed. The management plane must be stopped. If the command fails, ' +
        'the data is unchanged.',
    )
    .addOption(encryptionOption())
    .addOption(dataDirectoryOption())
    .addOption(outputOption())
    .action(async (options: RewriteOptions) => {
      const { rewrite } = await import('./run.js');
      await rewrite(options);
    });
  addExamples(command, 'slipway storage rewrite --encryption-provider-config encryption.yaml');
  return addVerboseOption(command);
}
