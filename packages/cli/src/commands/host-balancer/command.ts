import { Command } from 'commander';
import { balancerCommandName } from '../../providers/balancer-command-line.js';

/** Started by the HostCluster controller. */
export function hostBalancerCommand(): Command {
  return new Command(balancerCommandName)
    .description('Forward connections to the API servers of a HostCluster.')
    .argument('<directory>', 'Directory of the cluster network.')
    .action(async (directory: string) => {
      const { hostBalancer } = await import('./run.js');
      await hostBalancer(directory);
    });
}
