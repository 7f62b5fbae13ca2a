import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Revision } from '../contract/index.js';
import type { Encryption } from '../encryption/index.js';
import { syncDirectory, writeNewDirectory } from './backup.js';
import { isChange, type VersionOptions } from './data-version.js';
import { lockDirectory } from './directory-lock.js';
import { decryptRecord, encryptRecord, prepareRecords, requirePlain } from './encrypted-journal.js';
import { checkDataFile, dataFileOf, type JournalSnapshot, readSnapshot } from './lmdb-journal.js';

const emptySnapshot: JournalSnapshot = { revision: 0, records: [], version: { format: 0, writer: undefined } };

/**
 * Writes all objects of a directory that is not in use into a new data file, encrypted with the first provider of each resource.
 * The new file replaces the old one atomically, and with it all pages that still contain earlier versions. The history for watches
 * is dropped. If anything fails, the old file is unchanged.
 */
export async function rewriteDirectory(
  directory: string,
  encryption: Encryption | undefined,
  { writer, beforeChange }: VersionOptions = {},
): Promise<{ readonly revision: Revision; readonly objects: number }> {
  const lock = lockDirectory(directory);
  const partial = `${resolve(directory)}.rewriting`;
  try {
    checkDataFile(directory);
    const { revision, records, version } = (await readSnapshot(directory)) ?? emptySnapshot;
    if (isChange(version, writer)) await beforeChange?.(version);
    if (encryption !== undefined) await prepareRecords(encryption, records);
    const rewritten = records.map((record) =>
      encryption === undefined ? requirePlain(record) : encryptRecord(encryption, decryptRecord(encryption, record)),
    );
    await writeNewDirectory(partial, rewritten, revision, writer ?? version.writer);
    await rename(dataFileOf(partial), dataFileOf(directory));
    await syncDirectory(directory);
    return { revision, objects: records.length };
  } finally {
    await rm(partial, { recursive: true, force: true });
    lock.release();
  }
}
