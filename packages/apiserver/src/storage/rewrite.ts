import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Revision } from '../contract/index.js';
import type { Encryption } from '../encryption/index.js';
import { syncDirectory, writeNewDirectory } from './backup.js';
import { lockDirectory } from './directory-lock.js';
import { decryptRecord, encryptRecord, requirePlain } from './encrypted-journal.js';
import { checkDataFile, dataFileOf, readSnapshot } from './lmdb-journal.js';

/**
 * Writes all objects of a directory that is not in use into a new data file, encrypted with the first provider of each resource.
 * The new file replaces the old one atomically, and with it all pages that still contain earlier versions. The history for watches
 * is dropped. If anything fails, the old file is unchanged.
 */
export async function rewriteDirectory(
  directory: string,
  encryption: Encryption | undefined,
): Promise<{ readonly revision: Revision; readonly objects: number }> {
  const lock = lockDirectory(directory);
  const partial = `${resolve(directory)}.rewriting`;
  try {
    checkDataFile(directory);
    const { revision, records } = (await readSnapshot(directory)) ?? { revision: 0, records: [] };
    const rewritten = records.map((record) =>
      encryption === undefined ? requirePlain(record) : encryptRecord(encryption, decryptRecord(encryption, record)),
    );
    await writeNewDirectory(partial, rewritten, revision);
    await rename(dataFileOf(partial), dataFileOf(directory));
    await syncDirectory(directory);
    return { revision, objects: records.length };
  } finally {
    await rm(partial, { recursive: true, force: true });
    lock.release();
  }
}
