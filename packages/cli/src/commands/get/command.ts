import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import { addExamples, addNamespaceOption, addTargetOptions, addVerboseOption } from '../../options/common-options.js';

export interface GetObjectsOptions extends TargetFlags {
  readonly output?: 'json' | 'yaml' | 'name' | 'wide';
  readonly allNamespaces: boolean;
  readonly selector?: string;
  readonly watch: boolean;
}

export function getCommand(): Command {
  const command = new Command('get')
    .summary('List objects, or print the kubeconfig of a workload cluster')
    .description(
      'List objects of any type that the management cluster serves, as a table with server-side printer columns. Types are ' +
        'named as in kubectl: plural, singular, short name, `type.group`, or a category such as `cluster-api`.',
    )
    .argument('[type]', 'Types, comma-separated, or TYPE/NAME.')
    .argument('[name...]', 'Names of objects.')
    .addOption(new Option('-o, --output <format>', 'Output format.').choices(['json', 'yaml', 'name', 'wide']))
    .option('-A, --all-namespaces', 'List objects in all namespaces.', false)
    .option('-l, --selector <selector>', 'Label selector, such as cluster.x-k8s.io/cluster-name=demo.')
    .option('-w, --watch', 'After listing, watch for changes and print a row for each.', false)
    // Flags after a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .action(async (type: string | undefined, names: readonly string[], options: GetObjectsOptions) => {
      const { getObjects } = await import('./run-objects.js');
      await getObjects(type === undefined ? [] : [type, ...names], options);
    })
    .addCommand(getKubeconfigCommand());
  return addExamples(
    addVerboseOption(addNamespaceOption(addTargetOptions(command))),
    'slipway get clusters -A',
    'slipway get machines -l cluster.x-k8s.io/cluster-name=demo -o wide',
    'slipway get cluster/demo -o yaml',
    'slipway get kubeconfig demo > demo.kubeconfig',
  );
}

function getKubeconfigCommand(): Command {
  const command = new Command('kubeconfig')
    .summary('Print the kubeconfig of a workload cluster')
    .description('Print the admin kubeconfig of a workload cluster. It contains credentials: keep it secret.')
    .argument('<name>', 'Name of the cluster.')
    .addHelpText(
      'after',
      `
Examples:
  slipway get kubeconfig demo > demo.kubeconfig
  slipway get kubeconfig demo --namespace team-a > demo.kubeconfig`,
    )
    .action(async (name: string, options: TargetFlags) => {
      const { getKubeconfig } = await import('./run.js');
      await getKubeconfig(name, options);
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
