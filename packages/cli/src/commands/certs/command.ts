import { Command } from 'commander';
import { addExamples, addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

export interface RotateOptions {
  readonly dataDir: string;
  readonly ca?: boolean;
}

export function certsCommand(): Command {
  return new Command('certs')
    .summary('Replace the certificates of a stopped management plane')
    .description('Replace the certificates of a stopped management plane.')
    .addCommand(rotateCommand());
}

function rotateCommand(): Command {
  const command = new Command('rotate')
    .summary('Replace the keys and certificates of the server and the administrator')
    .description(
      'Remove the keys and certificates of the server and the administrator. The next start generates new ones and rewrites the ' +
        'admin kubeconfig. Certificates cannot be revoked one by one: copies of the previous kubeconfig stay valid until they ' +
        'expire, unless the CA is replaced too.',
    )
    .option(
      '--ca',
      'Also replace the CA. All client certificates that it issued become invalid, and all clients need the new CA. Service ' +
        'account tokens stay valid.',
    )
    .addOption(dataDirectoryOption())
    .action(async (options: RotateOptions) => {
      const { rotate } = await import('./run.js');
      await rotate(options);
    });
  addExamples(command, 'slipway certs rotate', 'slipway certs rotate --ca');
  return addVerboseOption(command);
}
