import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { systemCode } from '../errors/index.js';

/** Layout of a data directory. */
export interface DataDirectory {
  readonly root: string;
  /** Directory of the stored objects, and of the lock of the process that serves them. */
  readonly store: string;
  readonly pki: string;
  readonly runFile: string;
  readonly kubeconfig: string;
  /** Log file for commands that use the terminal for other output. */
  readonly log: string;
  /** HostMachines of this host and the files of their nodes. */
  readonly host: string;
  /** Virtual machines of this host. */
  readonly kvm: string;
  /** Backups of the data before other versions changed it. */
  readonly backups: string;
  /** Staging directory of a restore. While it exists, the restore is incomplete. */
  readonly restoring: string;
}

/** Returns `$XDG_DATA_HOME/slipway` or its default. Relative values are ignored, as the XDG specification requires. */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const home = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(home) ? home : join(homedir(), '.local', 'share'), 'slipway');
}

export function dataDirectory(given: string | undefined): DataDirectory {
  const root = resolve(given ?? defaultDataDirectory());
  return {
    root,
    store: join(root, 'store'),
    pki: join(root, 'pki'),
    runFile: join(root, 'run.json'),
    kubeconfig: join(root, 'admin.conf'),
    log: join(root, 'slipway.log'),
    host: join(root, 'host'),
    kvm: join(root, 'kvm'),
    backups: join(root, 'backups'),
    restoring: join(root, 'restoring'),
  };
}

/** Returns the directories in which the infrastructure providers of this host store their machines. */
export function machineFolders({ host, kvm }: DataDirectory): { hostDirectory: string; kvmDirectory: string } {
  return { hostDirectory: host, kvmDirectory: kvm };
}

/**
 * Creates a directory and its parents, accessible by the owner only. Node's recursive mkdir never returns on a file system
 * that reports ENOENT although the parent exists, such as /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) await makeDirectory(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
