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

/** Creates the hidden command that the pods of KVMMachines start. */
export function vmmCommand(setExitCode: SetExitCode): Command {
  return new Command('vmm')
    .description('Run the VM of a pod.')
    .argument('<action>', actions.join(', '))
    .requiredOption('--spec <file>', 'VM specification.')
    .requiredOption('--bootstrap <directory>', 'Directory with the bootstrap data.')
    .requiredOption('--disks <directory>', 'Directory with the VM disks.')
    .requiredOption('--etcd <directory>', 'Directory with the etcd disk.')
    .requiredOption('--volumes <directory>', 'Directory with host volumes.')
    .requiredOption('--run <directory>', 'Directory with the sockets.')
    .option('--port <number>', 'Port of the guest.')
    .action(async (action: VmmAction, flags: VmmFlags) => {
      const { vmm } = await import('./run.js');
      setExitCode(await vmm(action, flags));
    });
}
