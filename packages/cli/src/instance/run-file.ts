import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { directoryOwner } from '@slipway/apiserver';
import { onFile, systemCode } from '../errors/index.js';
import type { DataDirectory } from './data-directory.js';

/** Describes a running server for other commands. */
export interface RunFile {
  readonly pid: number;
  readonly endpoint: string;
  readonly kubeconfig: string;
  readonly version: string;
  readonly apiOnly: boolean;
  /** Directories of its plugins. */
  readonly plugins?: readonly string[];
  /** Start time in RFC 3339 format. */
  readonly startedAt: string;
}

/** Writes the file. It is written to a temporary file and renamed, so that a reader never sees a partial file. */
export async function writeRunFile(path: string, content: RunFile): Promise<void> {
  const partial = `${path}.${content.pid}`;
  await writeFile(partial, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(partial, path);
}

export async function removeRunFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Reads the file. Undefined if it is missing or unreadable. The lock, not this file, decides whether a server is running. */
export async function readRunFile(path: string): Promise<RunFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isRunFile(content) ? content : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRunFile(content: unknown): content is RunFile {
  return (
    typeof content === 'object' &&
    content !== null &&
    'pid' in content &&
    typeof content.pid === 'number' &&
    'endpoint' in content &&
    typeof content.endpoint === 'string' &&
    'startedAt' in content &&
    typeof content.startedAt === 'string'
  );
}

export interface Instance {
  readonly pid: number;
  /** Content of the run file. Absent while the server is starting. */
  readonly run: RunFile | undefined;
}

/** Returns the server that holds the lock of the directory now. Ignores the file of an earlier server that was killed. */
export async function findInstance(directory: DataDirectory): Promise<Instance | undefined> {
  const pid = await onFile('read', directory.store, () => directoryOwner(directory.store));
  if (pid === undefined) return undefined;
  const run = await onFile('read', directory.runFile, () => readRunFile(directory.runFile));
  return { pid, run: run?.pid === pid ? run : undefined };
}
