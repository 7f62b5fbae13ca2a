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
    .summary('Package provider releases for air-gapped clusters')
    .description(
      'Package provider releases for air-gapped clusters, where the Cluster API operator installs them from ConfigMaps or ' +
        'from an OCI registry.',
    )
    .addCommand(preloadCommand())
    .addCommand(publishCommand())
    .addCommand(openShiftPayloadCommand());
}

function preloadCommand(): Command {
  const command = new Command('preload')
    .summary('Print provider releases as ConfigMaps')
    .description(
      'Print provider releases as the ConfigMaps that the Cluster API operator reads, for `kubectl apply --server-side ' +
        '-f -` on an air-gapped cluster. Each ConfigMap gets the namespace of the argument (name:namespace:version), or the default namespace of the provider. A release ' +
        'that exceeds the size limit is compressed and split into several ConfigMaps.',
    );
  addProviderOptions(command, 'name[:ns[:version]]')
    .option('-u, --artifact-url <reference>', 'Read the releases from this OCI artifact.')
    .option('-e, --existing', 'Include every provider that has a provider object in the cluster.')
    .option('--write-to <file>', 'Write to this file instead of standard output.');
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
    .summary('Push a provider release to an OCI registry')
    .description(
      'Push the files of a release to an OCI registry as one artifact, for `spec.fetchConfig.oci` of a provider. ' +
        'Credentials are read from OCI_USERNAME and OCI_PASSWORD, OCI_ACCESS_TOKEN, or OCI_REFRESH_TOKEN.',
    )
    .requiredOption('-u, --artifact-url <reference>', 'Artifact to push: host[:port]/repository:tag.')
    .option('-f, --file <file>', 'File of the release. Can be repeated.', add)
    .option('-d, --directory <directory>', 'Push all files of a directory.');
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
    .summary('Print the manifests that an OpenShift release ships with the operator')
    .description(
      'Print the objects that `slipway manager --openshift-releases` needs and is not allowed to create: its service ' +
        'account with least-privilege RBAC, its CRDs and webhooks, the CRDs and roles of the providers, ' +
        'CredentialsRequests and alerts.',
    )
    .requiredOption('--openshift-releases <folder>', 'Directory with the releases of Cluster API and the providers.')
    .option('--write-to <file>', 'Write to this file instead of standard output.')
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
