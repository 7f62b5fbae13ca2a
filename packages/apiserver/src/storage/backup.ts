import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DataVersion } from './data-version.js';
import type { JournalWrite } from './journal.js';
import { LmdbJournal, readSnapshot } from './lmdb-journal.js';
import { decodeRecordHeader } from './record.js';
import type { Revision } from '../contract/index.js';

/** Format of a backup: `magic | revision f64 | (length u32 | record)* | 0 u32 | sha256 of everything before`. */
const magic = Buffer.from('slipway-backup-1\n');
const digestLength = 32;
const writeBytes = 1_048_576;
const restoreBatchLength = 1_000;

export class InvalidBackup extends Error {
  constructor(file: string, problem: string) {
    super(`${file} ${problem}`);
    this.name = 'InvalidBackup';
  }
}

interface Recorded {
  readonly record: Buffer;
}

export interface TakenBackup {
  readonly revision: Revision;
  /** Number of objects. */
  readonly objects: number;
  /** Version of the data that was backed up. */
  readonly version: DataVersion;
}

/**
 * Backs up a data directory, which may be in use by a running process. Returns undefined and writes no file if the directory
 * holds no data.
 */
export async function backupDirectory(directory: string, file: string): Promise<TakenBackup | undefined> {
  const snapshot = await readSnapshot(directory);
  if (snapshot === undefined) return undefined;
  const { revision, records, version } = snapshot;
  await writeBackup(
    file,
    revision,
    records.map((record) => ({ record })),
  );
  return { revision, objects: records.length, version };
}

/** Writes a temporary file and renames it once it is complete and flushed. */
export async function writeBackup(file: string, revision: Revision, versions: readonly Recorded[]): Promise<void> {
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o600);
  try {
    await writeContent(handle, revision, versions);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
  await handle.close();
  await rename(partial, file);
  await syncDirectory(dirname(resolve(file)));
}

async function writeContent(handle: FileHandle, revision: Revision, versions: readonly Recorded[]): Promise<void> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(8);
  head.writeDoubleBE(revision);
  let buffers: Buffer[] = [magic, head];
  let size = 0;
  for (const version of versions) {
    const { record } = version;
    buffers.push(lengthPrefix(record.length), record);
    size += record.length;
    if (size < writeBytes) continue;
    await writeHashed(handle, hash, buffers);
    buffers = [];
    size = 0;
  }
  buffers.push(lengthPrefix(0));
  await writeHashed(handle, hash, buffers);
  await handle.writeFile(hash.digest());
}

async function writeHashed(handle: FileHandle, hash: Hash, buffers: readonly Buffer[]): Promise<void> {
  const bytes = Buffer.concat(buffers);
  hash.update(bytes);
  await handle.writeFile(bytes);
}

function lengthPrefix(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface RestoreOptions {
  /**
   * Number to add to the revision of the backup. Clients that saw revisions newer than the backup treat the restored
   * state as stale until they restart. To avoid that, choose a number larger than the count of writes since the backup.
   */
  readonly revisionBump?: number;
  /** Version of the program that wrote the data of the backup, if it is known. */
  readonly writer?: string | undefined;
}

/** Creates a data directory from a backup. The directory must be absent or empty. */
export async function restoreBackup(file: string, directory: string, options: RestoreOptions = {}): Promise<void> {
  await refuseUsedDirectory(directory);
  const content = await readBackup(file);
  const revision = content.revision + (options.revisionBump ?? 0);
  const partial = `${resolve(directory)}.restoring`;
  await writeNewDirectory(partial, content.records, revision, options.writer);
  await rename(partial, directory);
  await syncDirectory(dirname(resolve(directory)));
}

/** Writes records into a new data directory. An existing directory is replaced. */
export async function writeNewDirectory(
  directory: string,
  records: readonly Buffer[],
  revision: Revision,
  writer: string | undefined,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const journal = await LmdbJournal.open(directory, writer === undefined ? {} : { writer });
  try {
    for (let start = 0; start === 0 || start < records.length; start += restoreBatchLength) {
      const writes = records.slice(start, start + restoreBatchLength).map(writeOf);
      await journal.append(() => ({ writes, revision, compacted: revision, dropped: [] }));
    }
  } finally {
    await journal.close();
  }
}

function writeOf(record: Buffer): JournalWrite {
  const { key, revision } = decodeRecordHeader(record);
  return { key, revision, record, undo: undefined };
}

async function refuseUsedDirectory(directory: string): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (entries.length > 0) throw new Error(`${directory} is not empty: restore into a new directory`);
}

async function readBackup(file: string): Promise<{ revision: Revision; records: Buffer[] }> {
  const bytes = await readFile(file);
  const bodyEnd = bytes.length - digestLength;
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new InvalidBackup(file, 'is not a backup of this format');
  const digest = createHash('sha256')
    .update(bytes.subarray(0, Math.max(bodyEnd, 0)))
    .digest();
  if (bodyEnd < magic.length || !digest.equals(bytes.subarray(bodyEnd))) {
    throw new InvalidBackup(file, 'is damaged or truncated: its checksum does not match');
  }
  const records: Buffer[] = [];
  let at = magic.length + 8;
  for (let length = bytes.readUInt32BE(at); length > 0; length = bytes.readUInt32BE(at)) {
    at += 4;
    records.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { revision: bytes.readDoubleBE(magic.length), records };
}
