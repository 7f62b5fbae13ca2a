import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../errors/index.js';

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
