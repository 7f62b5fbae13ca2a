import { readFile } from 'node:fs/promises';
import { type MachineFiles, machineFiles } from '../local/layout.js';
import type { VmDocument } from '../pod/vm-document.js';

/** Where a launcher finds its machine: the mounts of its pod. */
export interface LauncherFolders {
  /** The file that says what to run. */
  readonly spec: string;
  readonly bootstrap: string;
  readonly disks: string;
  readonly etcd: string;
  readonly volumes: string;
  readonly run: string;
}

export async function readDocument({ spec }: Pick<LauncherFolders, 'spec'>): Promise<VmDocument> {
  return JSON.parse(await readFile(spec, 'utf8')) as VmDocument;
}

export function filesOf({ disks, run }: LauncherFolders, { uuid }: Pick<VmDocument, 'uuid'>): MachineFiles {
  return machineFiles({ stateDirectory: disks, runDirectory: run }, uuid);
}
