import { realpathSync } from 'node:fs';

/** Command line of the load balancer of a HostCluster: this program as a detached process, which survives its parent. */
export function balancerCommandLine(): readonly string[] {
  const [node = process.execPath, program = ''] = process.argv;
  return [node, ...process.execArgv, program === '' ? program : realpathSync(program), balancerCommandName];
}

export const balancerCommandName = 'host-balancer';
