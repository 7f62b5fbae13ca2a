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
    .summary('print manifests from templates and providers')
    .description('Prints manifests: a cluster from a template, the components of a provider, any YAML with variables.')
    .addCommand(generateClusterCommand('generate'))
    .addCommand(generateProviderCommand())
    .addCommand(generateYamlCommand());
}

/** `generate cluster`, and `config cluster` as it was called once. */
export function generateClusterCommand(parent: 'generate' | 'config'): Command {
  const command = new Command('cluster')
    .summary(parent === 'config' ? 'the old name of `generate cluster`' : 'print the objects of a new cluster')
    .description(
      'Prints the objects of a new cluster from a template, for `kubectl apply -f -`. Nothing is changed. Variables of ' +
        'the template come from the flags, the environment and clusterctl.yaml, in this order.',
    )
    .argument('<name>', 'the name of the cluster');
  addClusterOptions(command)
    .option('--list-variables', 'tell what the template asks for, and nothing else')
    .option('--write-to <file>', 'write to a file; else to standard output')
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
    .summary('print the components of a provider')
    .description('Prints everything that `init` installs of one provider. Nothing is changed.');
  addProviderOptions(command, 'name[:version]')
    .option('-n, --target-namespace <name>', 'where it goes; else where it wants to be')
    .option('--describe', 'tell what it is, its variables and images')
    .option('--raw', 'leave the variables as they are')
    .option('--write-to <file>', 'write to a file; else to standard output');
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
    .summary('put values into any YAML')
    .description('Puts values in the place of the variables of any YAML, as `generate cluster` does with templates.')
    .option('--from <place>', 'a file, an https or oci address, - for standard input', '-')
    .option('--list-variables', 'tell what the template asks for, and nothing else');
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
