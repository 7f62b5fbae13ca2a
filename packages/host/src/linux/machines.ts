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
  /** A folder for each machine. */
  readonly folder: string;
  /** The file that holds a network's namespace. */
  readonly switchOf: (networkId: string) => string;
  readonly clock: Clock;
}

/** Machines as processes in namespaces of their own. All that is known of them is in their folders. */
export class Machines {
  constructor(private readonly options: MachinesOptions) {}

  async start(machine: MachineSpec): Promise<void> {
    const directory = this.#directory(machine.id);
    if ((await this.state(machine.id)).phase !== 'absent') return;
    const cgroups = await machineCgroups(machine.id);
    await writeMachineFiles(directory, machine);
    // Written down before they are made: whoever removes the machine finds them, also after we were killed.
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
    // Before the bootstrap there is only what the machine was built with.
    const log = join(directory, bootstrap === 'pending' ? 'log' : 'root/var/log/cloud-init-output.log');
    const startedMs = await modifiedMs(join(directory, 'started'));
    if (startedMs === undefined) return { phase: 'absent', bootstrap: 'pending', log };
    const identity = await readProcess(directory);
    if (identity !== undefined) return { phase: (await isAlive(identity)) ? 'running' : 'ended', bootstrap, log };
    // It writes down who it is right after it has started, or never.
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
    // Its mounts went with its namespace. Should one have got out, what is behind it must not be deleted.
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true });
  }

  #directory(id: string): string {
    return join(this.options.folder, id);
  }
}

function bootstrapOf(text: string | undefined): MachineState['bootstrap'] {
  const said = text?.trim();
  if (said === 'succeeded' || said === 'failed') return said;
  return said === undefined ? 'pending' : 'running';
}

const recordTimeoutMs = 30_000;

/** Undefined when there is no such file or folder. */
export async function modifiedMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names of interfaces have at most fifteen characters. */
function portOf(id: string): string {
  return `m${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
}
