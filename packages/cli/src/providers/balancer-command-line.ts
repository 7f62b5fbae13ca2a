import { programCommandLine } from '../process/program-command-line.js';

/** Returns the command line of a HostCluster's load balancer: this program as a detached process, which survives its parent. */
export function balancerCommandLine(): readonly string[] {
  return [...programCommandLine(), balancerCommandName];
}

export const balancerCommandName = 'host-balancer';
