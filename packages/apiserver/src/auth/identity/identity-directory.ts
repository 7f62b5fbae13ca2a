import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '@slipway/base';
import type { IdentityFiles } from './identity-files.js';

/** Stores identity files under `root`, readable by their owner only. */
export function openIdentityDirectory(root: string, random: Random): IdentityFiles {
  return {
    async read(name) {
      try {
        return await readFile(join(root, name), 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async write(name, text) {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${Buffer.from(random.bytes(6)).toString('hex')}.tmp`;
      try {
        await writeDurably(temporary, text);
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncDirectory(dirname(path));
    },
  };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a directory: a rename in it is durable only afterwards. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
