import { directoryOwner } from '@slipway/apiserver';
import { onFile } from '../errors/index.js';
import type { DataDirectory } from './data-directory.js';
import { readRunFile, type RunFile } from './run-file.js';

export interface Instance {
  readonly pid: number;
  /** Absent while it is still starting. */
  readonly run: RunFile | undefined;
}

/** The server that holds the directory now. What an earlier one left behind (kill -9, power loss) does not count. */
export async function findInstance(directory: DataDirectory): Promise<Instance | undefined> {
  const pid = await onFile('read', directory.store, () => directoryOwner(directory.store));
  if (pid === undefined) return undefined;
  const run = await onFile('read', directory.runFile, () => readRunFile(directory.runFile));
  return { pid, run: run?.pid === pid ? run : undefined };
}
