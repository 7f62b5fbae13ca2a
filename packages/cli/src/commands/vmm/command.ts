import { Command } from 'commander';
import type { SetExitCode } from '../../options/common-options.js';

export interface VmmFlags {
  readonly spec: string;
  readonly bootstrap: string;
  readonly disks: string;
  readonly etcd: string;
  readonly volumes: string;
  readonly run: string;
  readonly port?: string;
}

const actions = ['prepare', 'run', 'ping', 'guest-tcp'] as const;
export type VmmAction = (typeof actions)[number];

/** Started by the pods of KVMMachines, not by people. */
export function vmmCommand(setExitCode: SetExitCode): Command {
  return new Command('vmm')
    .description('Runs the virtual machine of a pod.')
    .argument('<action>', actions.join(', '))
    .requiredOption('--spec <file>', 'what to run')
    .requiredOption('--bootstrap <directory>', 'the bootstrap data')
    .requiredOption('--disks <directory>', 'the disks of the machine')
    .requiredOption('--etcd <directory>', 'the disk of etcd')
    .requiredOption('--volumes <directory>', 'folders of the host')
    .requiredOption('--run <directory>', 'sockets')
    .option('--port <number>', 'a port of the guest')
    .action(async (action: VmmAction, flags: VmmFlags) => {
      const { vmm } = await import('./run.js');
      setExitCode(await vmm(action, flags));
    });
}
