import { realpathSync } from 'node:fs';

/** The balancer of a cluster on this computer is this very program, run again by a process that outlives it. */
export function balancerCommandLine(): readonly string[] {
  const [node = process.execPath, program = ''] = process.argv;
  return [node, ...process.execArgv, program === '' ? program : realpathSync(program), balancerCommandName];
}

export const balancerCommandName = 'host-balancer';
