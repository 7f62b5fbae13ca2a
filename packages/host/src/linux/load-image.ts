import { spawn } from 'node:child_process';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, isAlive } from '@slipway/base';
import { readProcess } from './process.js';

/** A machine whose containerd cannot be reached from this host. */
export class MachineNotRunning extends Error {
  constructor(readonly id: string) {
    super(`no process of machine ${id} runs on this host`);
    this.name = 'MachineNotRunning';
  }
}

export interface LoadImageOptions {
  /** The data directory of machines and networks. */
  readonly directory: string;
  /** The UID of the HostMachine. */
  readonly machineId: string;
  /** An archive of container images, as `ctr images export`, `docker save` or `podman save` write it. */
  readonly archive: string;
  readonly signal: AbortSignal;
}

/** Imports the container images of an archive into the containerd of a machine, where Pods find them without a registry. */
export async function loadImage({ directory, machineId, archive, signal }: LoadImageOptions): Promise<void> {
  const init = await initProcessOf(join(directory, 'machines', machineId), machineId);
  const file = await open(archive, 'r');
  try {
    const args = [
      '--all',
      '--target',
      String(init),
      'ctr',
      '--namespace',
      'k8s.io',
      'images',
      'import',
      '--local',
      '-',
    ];
    await run('nsenter', args, file, signal);
  } finally {
    await file.close();
  }
}

/** Returns the PID of the machine's init process: the recorded process only creates the PID namespace. */
async function initProcessOf(directory: string, id: string): Promise<number> {
  const identity = await readProcess(directory);
  if (identity === undefined || !(await isAlive(identity))) throw new MachineNotRunning(id);
  const { pid } = identity;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const [child = ''] = children.trim().split(' ');
  if (child === '') throw new MachineNotRunning(id);
  return Number(child);
}

const outputLengthMax = 2_000;

/** Runs a program that reads the file from its standard input. Throws with the end of its output if it fails. */
async function run(program: string, args: readonly string[], input: FileHandle, signal: AbortSignal): Promise<void> {
  const child = spawn(program, args, { stdio: [input.fd, 'pipe', 'pipe'], signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-outputLengthMax);
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CommandError(program, code ?? undefined, output.trim());
}
