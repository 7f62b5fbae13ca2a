import { realpathSync } from 'node:fs';

/** Returns the command line of a HostCluster's load balancer: this program as a detached process, which survives its parent. */
export function balancerCommandLine(): readonly string[] {
  const [node = process.execPath, program = ''] = process.argv;
  return [node, ...process.execArgv, program === '' ? program : realpathSync(program), balancerCommandName];
}

export const balancerCommandName = 'host-balancer';
