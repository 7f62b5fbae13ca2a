import { Command } from 'commander';
import { addTargetOptions, addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';
import { addProviderOptions, type ProviderFlags } from '../../options/provider-options.js';
import { addClusterOptions, addConfigOption, type ClusterFlags } from '../../options/template-options.js';

export interface GenerateClusterFlags extends ClusterFlags {
  readonly listVariables?: boolean;
  readonly writeTo?: string;
  readonly output?: OutputFormat;
}

export interface GenerateProviderFlags extends ProviderFlags {
  readonly targetNamespace?: string;
  readonly describe?: boolean;
  readonly raw?: boolean;
  readonly writeTo?: string;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
  readonly output?: OutputFormat;
}

export interface GenerateYamlFlags {
  readonly from: string;
  readonly listVariables?: boolean;
  readonly config?: string;
  readonly output?: OutputFormat;
}

export function generateCommand(): Command {
  return new Command('generate')
    .summary('Generate manifests from templates and providers')
    .description(
      'Print manifests: a cluster from a template, the components of a provider, or any YAML with variables.',
    )
    .addCommand(generateClusterCommand('generate'))
    .addCommand(generateProviderCommand())
    .addCommand(generateYamlCommand());
}

/** Creates `generate cluster`, or its deprecated name `config cluster`. */
export function generateClusterCommand(parent: 'generate' | 'config'): Command {
  const command = new Command('cluster')
    .summary(
      parent === 'config' ? 'Deprecated name of `generate cluster`' : 'Generate the objects of a workload cluster',
    )
    .description(
      'Print the objects of a workload cluster from a template, for `kubectl apply -f -`. The management cluster is not ' +
        'changed. Template variables are read from the flags, the environment and clusterctl.yaml, in this order.',
    )
    .argument('<name>', 'Name of the cluster.');
  addClusterOptions(command)
    .option('--list-variables', 'List the variables of the template and exit.')
    .option('--write-to <file>', 'Write to this file instead of standard output.')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway ${parent} cluster demo -i dev | kubectl apply -f -
  slipway ${parent} cluster a -i dev --flavor topology --worker-machine-count 3
  slipway ${parent} cluster demo -i dev --list-variables
  slipway ${parent} cluster demo --from ./my-template.yaml -n clusters
  slipway ${parent} cluster demo --from oci://registry.local/edge:v1#edge.yaml`,
    )
    .action(async (name: string, flags: GenerateClusterFlags) => {
      const { generateCluster } = await import('./run.js');
      await generateCluster(name, flags);
    });
  return addVerboseOption(command);
}

function generateProviderCommand(): Command {
  const command = new Command('provider')
    .summary('Generate the components of a provider')
    .description('Print the objects that `init` installs for one provider. The management cluster is not changed.');
  addProviderOptions(command, 'name[:version]')
    .option(
      '-n, --target-namespace <name>',
      'Namespace of the provider. Defaults to the default namespace of the provider.',
    )
    .option('--describe', 'Print the version, variables and images of the provider instead.')
    .option('--raw', 'Do not substitute variables.')
    .option('--write-to <file>', 'Write to this file instead of standard output.');
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway generate provider --core cluster-api
  slipway generate provider --infrastructure dev --describe
  slipway generate provider -b kubeadm -n my-namespace --write-to bootstrap.yaml`,
    )
    .action(async (flags: GenerateProviderFlags) => {
      const { generateProvider } = await import('./run.js');
      await generateProvider(flags);
    });
  return addVerboseOption(command);
}

function generateYamlCommand(): Command {
  const command = new Command('yaml')
    .summary('Substitute variables in any YAML')
    .description('Substitute the variables of any YAML, as `generate cluster` does with templates.')
    .option('--from <place>', 'Template: a file, an HTTPS or OCI URL, or - for standard input.', '-')
    .option('--list-variables', 'List the variables of the template and exit.');
  addConfigOption(command)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  cat template.yaml | slipway generate yaml
  slipway generate yaml --from ./template.yaml --list-variables`,
    )
    .action(async (flags: GenerateYamlFlags) => {
      const { generateYaml } = await import('./run.js');
      await generateYaml(flags);
    });
  return addVerboseOption(command);
}
