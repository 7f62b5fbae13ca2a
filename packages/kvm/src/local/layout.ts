import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { identify, readIfPresent } from '@slipway/base';

/** Paths of the files of a machine. */
export interface MachineFiles {
  readonly directory: string;
  readonly record: string;
  readonly state: string;
  readonly seed: string;
  readonly ignition: string;
  readonly firmwareVariables: string;
  readonly console: string;
  readonly log: string;
  /** Directory of the machine's sockets. Its path must be short: socket paths are limited to 107 bytes. */
  readonly runDirectory: string;
  readonly pid: string;
  readonly control: string;
  readonly secondControl: string;
  readonly agent: string;
}

export interface Layout {
  /** Directory of disks and records, which must survive a restart of the host. */
  readonly stateDirectory: string;
  /** Directory of sockets and pid files. */
  readonly runDirectory: string;
}

export function machineFiles({ stateDirectory, runDirectory }: Layout, uuid: string): MachineFiles {
  const directory = join(stateDirectory, 'machines', uuid);
  const run = join(runDirectory, uuid.replaceAll('-', '').slice(0, 12));
  return {
    directory,
    record: join(directory, 'spec.json'),
    state: join(directory, 'state.json'),
    seed: join(directory, 'seed.iso'),
    ignition: join(directory, 'ignition.json'),
    firmwareVariables: join(directory, 'firmware-variables.fd'),
    console: join(directory, 'console.log'),
    log: join(directory, 'qemu.log'),
    runDirectory: run,
    pid: join(run, 'qemu.pid'),
    control: join(run, 'q.sock'),
    secondControl: join(run, 'q2.sock'),
    agent: join(run, 'a.sock'),
  };
}

/** Writes the file atomically. Only its owner may read it: seeds contain secrets. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${randomUUID()}.new`;
  await writeFile(fresh, content, { mode: 0o600, flush: true });
  await rename(fresh, path);
}

export async function readJson<T>(path: string): Promise<T | undefined> {
  const text = await readIfPresent(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Returns the staging directory of a machine. Its name contains the ID of the process that creates it. */
export function stagingFolder({ directory }: MachineFiles): string {
  return `${directory}.${process.pid}.${randomUUID()}.new`;
}

/** Removes all staging directories of the machine. */
export async function removeStaging(files: MachineFiles): Promise<void> {
  for (const { path } of await stagingFolders(files)) await rm(path, { recursive: true, force: true });
}

/** Removes staging directories of processes that have ended. Those of running processes are still in use. */
export async function removeAbandonedStaging(files: MachineFiles): Promise<void> {
  for (const { path, pid } of await stagingFolders(files))
    if (!Number.isInteger(pid) || (await identify(pid)) === undefined) await rm(path, { recursive: true, force: true });
}

async function stagingFolders({ directory }: MachineFiles): Promise<{ path: string; pid: number }[]> {
  const folder = dirname(directory);
  const prefix = `${basename(directory)}.`;
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(folder, name), pid: Number(name.slice(prefix.length).split('.')[0]) }));
}
