import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import { addNamespaceOption, addTargetOptions, addVerboseOption } from '../../options/common-options.js';

export function getCommand(): Command {
  return new Command('get')
    .summary('get what is needed to reach a cluster')
    .description('Gets things of a workload cluster.')
    .addCommand(getKubeconfigCommand());
}

function getKubeconfigCommand(): Command {
  const command = new Command('kubeconfig')
    .summary('print the kubeconfig of a workload cluster')
    .description(
      'Prints the kubeconfig with which a workload cluster is reached. It lets in whoever has it: keep it safe.',
    )
    .argument('<name>', 'of the cluster')
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
