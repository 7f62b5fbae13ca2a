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
    .summary('Install providers into an existing management cluster')
    .description(
      'Install providers into an existing management cluster: CRDs, RBAC, controller deployments, webhooks, and the ' +
        'inventory that clusterctl reads. Without flags, the cluster-api core provider and the kubeadm bootstrap and ' +
        'control plane providers are installed. A management plane started with `slipway up` does not need this command. ' +
        'cert-manager is not required and not changed.',
    );
  addInstallOptions(command)
    .option('--dry-run', 'Print what would be installed without installing it.')
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
    .option(
      '-n, --target-namespace <name>',
      'Namespace of the providers. Defaults to the default namespace of each provider.',
    )
    .addOption(waitProvidersOption())
    .addOption(waitProviderTimeoutOption())
    .addOption(
      new Option('--validate [boolean]', 'Fail if the providers are not compatible with each other.')
        .default(true)
        .argParser(parseSwitch),
    );
  return addConfigOption(addTargetOptions(command));
}

function listImagesCommand(): Command {
  const command = new Command('list-images')
    .summary('List the container images that `init` needs')
    .description(
      'List the container images that `init` needs, to mirror them to another registry. Accepts the flags of `init`.',
    );
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
      // Global options are included, because commander stores a flag that both commands declare in the parent.
      await listImages(own.optsWithGlobals<InitFlags>());
    });
  return addVerboseOption(command);
}
