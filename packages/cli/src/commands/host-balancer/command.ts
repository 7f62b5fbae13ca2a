import { Command } from 'commander';
import { balancerCommandName } from '../../providers/balancer-command-line.js';

/** Started by HostClusters, not by people. */
export function hostBalancerCommand(): Command {
  return new Command(balancerCommandName)
    .description('Forwards connections to the API servers of a HostCluster.')
    .argument('<directory>', 'the folder of its network')
    .action(async (directory: string) => {
      const { hostBalancer } = await import('./run.js');
      await hostBalancer(directory);
    });
}
