import { realpathSync } from 'node:fs';
import { isSea } from 'node:sea';

/** Returns the command line of a HostCluster's load balancer: this program as a detached process, which survives its parent. */
export function balancerCommandLine(): readonly string[] {
  // A single executable has no script, and passes options of Node.js to the program.
  if (isSea()) return [process.execPath, balancerCommandName];
  const [node = process.execPath, program = ''] = process.argv;
  return [node, ...process.execArgv, program === '' ? program : realpathSync(program), balancerCommandName];
}

export const balancerCommandName = 'host-balancer';
