import { Command, Option } from 'commander';
import {
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  parseSwitch,
} from '../../options/common-options.js';
import {
  addProviderOptions,
  type ProviderFlags,
  waitProvidersOption,
  waitProviderTimeoutOption,
} from '../../options/provider-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface InitFlags extends ProviderFlags {
  readonly targetNamespace?: string;
  readonly waitProviders: boolean;
  readonly waitProviderTimeout: number;
  readonly validate: boolean;
  readonly dryRun?: boolean;
  readonly output?: OutputFormat;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
}

export function initCommand(): Command {
  const command = new Command('init')
    .summary('install providers onto a Kubernetes that is there')
    .description(
      'Installs providers onto a Kubernetes that is there: their kinds, what they may do, their managers and webhooks, and ' +
        'an inventory that stock clusterctl reads as well. Without flags: cluster-api, and kubeadm twice. `slipway up` needs ' +
        'none of this. cert-manager is not needed and not touched.',
    );
  addInstallOptions(command)
    .option('--dry-run', 'tell what would be installed, and change nothing')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway init
  slipway init --infrastructure dev --wait-providers
  slipway init --infrastructure vsphere:v1.16.1 --control-plane -
  slipway init list-images --infrastructure dev`,
    )
    .action(async (flags: InitFlags) => {
      const { init } = await import('./run.js');
      await init(flags);
    })
    .addCommand(listImagesCommand());
  return addVerboseOption(command);
}

function addInstallOptions(command: Command): Command {
  addProviderOptions(command, 'name[:version]')
    .option('-n, --target-namespace <name>', 'where they go; else where each wants to be')
    .addOption(waitProvidersOption())
    .addOption(waitProviderTimeoutOption())
    .addOption(
      new Option('--validate [boolean]', 'refuse what would not work together').default(true).argParser(parseSwitch),
    );
  return addConfigOption(addTargetOptions(command));
}

function listImagesCommand(): Command {
  const command = new Command('list-images')
    .summary('list the images that `init` needs')
    .description('Lists the images that `init` needs, for a registry of your own. Takes the flags of `init`.');
  addInstallOptions(command)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway init list-images
  slipway init list-images --infrastructure dev -o json`,
    )
    .action(async (_flags: InitFlags, own: Command) => {
      const { listImages } = await import('./run.js');
      // Flags that both have are read by the one that is above.
      await listImages(own.optsWithGlobals<InitFlags>());
    });
  return addVerboseOption(command);
}
