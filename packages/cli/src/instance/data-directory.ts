import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { systemCode } from '../errors/index.js';

/** What lies where in a data directory. */
export interface DataDirectory {
  readonly root: string;
  /** The objects, and the lock that says who serves them. */
  readonly store: string;
  readonly pki: string;
  readonly runFile: string;
  readonly kubeconfig: string;
  /** Where the log goes while the terminal shows something else. */
  readonly log: string;
  /** Machines on this computer, and what their nodes run. */
  readonly host: string;
  /** Virtual machines of this computer. */
  readonly kvm: string;
  /** Where a restore gathers its parts: while this exists, the directory is not whole. */
  readonly restoring: string;
}

/** `$XDG_DATA_HOME/slipway`, or what stands for it; the XDG rules have relative values ignored. */
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
    restoring: join(root, 'restoring'),
  };
}

/** Where the infrastructures of this computer keep their machines. */
export function machineFolders({ host, kvm }: DataDirectory): { hostDirectory: string; kvmDirectory: string } {
  return { hostDirectory: host, kvmDirectory: kvm };
}

/**
 * Makes a directory for its owner only, and those above it. Node's recursive mkdir never returns where a file system
 * answers 'no such directory' although the parent is there, as /proc does.
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
