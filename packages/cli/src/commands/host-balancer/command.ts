import { Command } from 'commander';
import { balancerCommandName } from '../../providers/balancer-command-line.js';

/** Creates the hidden command that the HostCluster controller starts. */
export function hostBalancerCommand(): Command {
  return new Command(balancerCommandName)
    .description('Forward connections to the API servers of a HostCluster.')
    .argument('<directory>', 'Directory of the cluster network.')
    .action(async (directory: string) => {
      const { hostBalancer } = await import('./run.js');
      await hostBalancer(directory);
    });
}
