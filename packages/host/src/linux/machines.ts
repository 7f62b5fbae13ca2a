import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, endProcess, isAlive, readIfPresent } from '@slipway/base';
import type { MachineSpec, MachineState } from '../engine/index.js';
import { machineCgroups, makeCgroups, removeCgroups } from './cgroups.js';
import { writeMachineFiles } from './machine-files.js';
import { unmountBelow } from './mounts.js';
import { launch, readProcess } from './process.js';

export interface MachinesOptions {
  /** The directory that contains a directory for each machine. */
  readonly folder: string;
  /** Returns the file that keeps the network namespace of a network alive. */
  readonly switchOf: (networkId: string) => string;
  readonly clock: Clock;
}

/** Runs machines as processes in their own namespaces. Their directories are the only record of their state. */
export class Machines {
  constructor(private readonly options: MachinesOptions) {}

  async start(machine: MachineSpec): Promise<void> {
    const directory = this.#directory(machine.id);
    if ((await this.state(machine.id)).phase !== 'absent') return;
    const cgroups = await machineCgroups(machine.id);
    await writeMachineFiles(directory, machine);
    // Record the cgroups before they are created, so that a removal finds them even if this process was killed right
    // after creating them.
    await writeFile(join(directory, 'cgroups'), `${cgroups.join('\n')}\n`);
    await makeCgroups(cgroups);
    await launch({
      directory,
      script: join(directory, 'scripts/enter-namespaces.sh'),
      environment: {
        MACHINE_DIRECTORY: directory,
        MACHINE_NAME: machine.name,
        MACHINE_ADDRESS: machine.address,
        MACHINE_GATEWAY: machine.gateway,
        MACHINE_SWITCH: this.options.switchOf(machine.networkId),
        MACHINE_PORT: portOf(machine.id),
        MACHINE_NODE_FILES: machine.nodeFiles.directory,
        MACHINE_IMAGES: machine.nodeFiles.images.map(({ file }) => file).join(' '),
      },
    });
  }

  async state(id: string): Promise<MachineState> {
    const directory = this.#directory(id);
    const bootstrap = bootstrapOf(await readIfPresent(join(directory, 'root/var/lib/slipway/bootstrap')));
    // Before the bootstrap only the log of the machine start exists.
    const log = join(directory, bootstrap === 'pending' ? 'log' : 'root/var/log/cloud-init-output.log');
    const startedMs = await modifiedMs(join(directory, 'started'));
    if (startedMs === undefined) return { phase: 'absent', bootstrap: 'pending', log };
    const identity = await readProcess(directory);
    if (identity !== undefined) return { phase: (await isAlive(identity)) ? 'running' : 'ended', bootstrap, log };
    // The process records its PID right after its start. If the record is still missing after the timeout, the process was lost.
    const isLost = this.options.clock.now() - startedMs > recordTimeoutMs;
    return { phase: isLost ? 'ended' : 'running', bootstrap: 'pending', log };
  }

  async has(id: string): Promise<boolean> {
    return (await modifiedMs(this.#directory(id))) !== undefined;
  }

  async remove(id: string): Promise<void> {
    const directory = this.#directory(id);
    const identity = await readProcess(directory);
    if (identity !== undefined) await endProcess(identity, this.options.clock);
    const cgroups = (await readIfPresent(join(directory, 'cgroups')))?.split('\n').filter((line) => line !== '') ?? [];
    await removeCgroups(cgroups, this.options.clock);
    // The mounts ended with the mount namespace. Unmount any that is left on the host, so that the files behind it are not
    // deleted.
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true });
  }

  #directory(id: string): string {
    return join(this.options.folder, id);
  }
}

function bootstrapOf(text: string | undefined): MachineState['bootstrap'] {
  const output = text?.trim();
  if (output === 'succeeded' || output === 'failed') return output;
  return output === undefined ? 'pending' : 'running';
}

const recordTimeoutMs = 30_000;

/** Returns the modification time. Undefined if the file or directory does not exist. */
export async function modifiedMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the interface name of a machine. Names have at most fifteen characters. */
function portOf(id: string): string {
  return `m${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
}
