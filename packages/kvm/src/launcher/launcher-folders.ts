import { readFile } from 'node:fs/promises';
import { type MachineFiles, machineFiles } from '../local/layout.js';
import type { VmDocument } from '../pod/vm-document.js';

/** Mount paths of the launcher's pod. */
export interface LauncherFolders {
  /** File with the specification of the virtual machine. */
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
