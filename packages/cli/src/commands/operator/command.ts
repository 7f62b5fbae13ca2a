import { Command } from 'commander';
import { addTargetOptions, addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';
import { addProviderOptions, type ProviderFlags } from '../../options/provider-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface PreloadFlags extends ProviderFlags {
  readonly artifactUrl?: string;
  readonly existing?: boolean;
  readonly writeTo?: string;
  readonly output?: OutputFormat;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
}

export interface PublishFlags {
  readonly artifactUrl: string;
  readonly file?: readonly string[];
  readonly directory?: string;
  readonly output?: OutputFormat;
  readonly config?: string;
}

export interface OpenShiftPayloadFlags {
  readonly openshiftReleases: string;
  readonly writeTo?: string;
  readonly output?: OutputFormat;
}

export function operatorCommand(): Command {
  return new Command('operator')
    .summary('carry releases of providers to clusters without a network')
    .description(
      'Carries releases of providers to clusters without a network, where the provider operator installs them from ' +
        'ConfigMaps or from a registry.',
    )
    .addCommand(preloadCommand())
    .addCommand(publishCommand())
    .addCommand(openShiftPayloadCommand());
}

function preloadCommand(): Command {
  const command = new Command('preload')
    .summary('print releases as ConfigMaps')
    .description(
      'Prints releases of providers as the ConfigMaps that the provider operator reads, each in the namespace ns of its ' +
        'provider or else where such providers usually are, for `kubectl apply ' +
        '--server-side -f -` on a cluster without a network. What is too large for one is compressed, and cut into several.',
    );
  addProviderOptions(command, 'name[:ns[:version]]')
    .option('-u, --artifact-url <reference>', 'take them from this artifact of an OCI registry')
    .option('-e, --existing', 'for every provider that the cluster has an object of')
    .option('--write-to <file>', 'write to a file; else to standard output');
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway operator preload --core cluster-api > core.yaml
  slipway operator preload --infrastructure aws:capa-system:v2.9.0
  slipway operator preload -i edge::v1.0.0 -u registry.local/edge:v1.0.0
  slipway operator preload --existing --kubeconfig company.conf`,
    )
    .action(async (flags: PreloadFlags) => {
      const { preload } = await import('./run.js');
      await preload(flags);
    });
  return addVerboseOption(command);
}

function publishCommand(): Command {
  const add = (file: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), file];
  const command = new Command('publish')
    .summary('write a release to an OCI registry')
    .description(
      'Writes the files of a release to an OCI registry as one artifact, which `spec.fetchConfig.oci` of a provider can ' +
        'name. Credentials are OCI_USERNAME and OCI_PASSWORD, OCI_ACCESS_TOKEN, or OCI_REFRESH_TOKEN.',
    )
    .requiredOption('-u, --artifact-url <reference>', 'where to: host[:port]/repository:tag')
    .option('-f, --file <file>', 'a file of the release; may be repeated', add)
    .option('-d, --directory <directory>', 'all files of a directory');
  addConfigOption(command)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway operator publish -u registry.local/edge:v1.0.0 -d ./v1.0.0
  slipway operator publish -u registry.local/edge:v1.0.0 \\
    -f metadata.yaml -f infrastructure-components.yaml`,
    )
    .action(async (flags: PublishFlags) => {
      const { publish } = await import('./run.js');
      await publish(flags);
    });
  return addVerboseOption(command);
}

function openShiftPayloadCommand(): Command {
  const command = new Command('openshift-payload')
    .summary('print what a release of OpenShift ships beside the operator')
    .description(
      'Prints what `slipway manager --openshift-releases` needs and may not make itself: its account with exactly the ' +
        'rights that it uses, its definitions and webhooks, the definitions and roles of the providers, requests for ' +
        'credentials, and alerts.',
    )
    .requiredOption('--openshift-releases <folder>', 'the releases of Cluster API and of providers')
    .option('--write-to <file>', 'write to a file; else to standard output')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway operator openshift-payload --openshift-releases ./releases`,
    )
    .action(async (flags: OpenShiftPayloadFlags) => {
      const { openShiftPayload } = await import('./run-openshift-payload.js');
      await openShiftPayload(flags);
    });
  return addVerboseOption(command);
}
