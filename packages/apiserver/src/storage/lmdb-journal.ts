import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { findDamage } from './data-file-check.js';
import {
  checksumFormat,
  type DataVersion,
  formatVersion,
  isChange,
  readDataVersion,
  UnsupportedFormat,
  type VersionOptions,
  writeDataVersion,
} from './data-version.js';
import { directoryOwner, type DirectoryLock, lockDirectory } from './directory-lock.js';
import { DamagedStore } from './errors.js';
import type { Journal, JournalBatch, JournalReader, JournalState } from './journal.js';
import { idOf } from './pending-writes.js';
import { ChecksumMismatch, openValue, sealValue } from './sealed-value.js';
import type { Revision, StorageKey } from '../contract/index.js';

const keyLengthMax = 1_024;
/**
 * Number of written bytes after which the file is mapped again. Pages that a transaction touches stay resident in the memory map,
 * with their neighbours, although they are not read again. Remapping takes a few milliseconds and keeps resident memory from
 * growing with the data.
 */
const mappedBytesMax = 16 * 1_024 ** 2;

type Table = Database<Buffer, Buffer>;

interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** Table of metadata: the version of the data, and `state` with the newest revision. */
  readonly meta: Table;
  readonly objects: Table;
  readonly history: Table;
}

/**
 * A journal in LMDB: one table of current records, one of undo records. A batch is one transaction, committed off the main
 * thread with LMDB's full protocol (flush the pages, then write the root with O_DSYNC), so that it survives a power loss
 * once acknowledged. The library's `overlappingSync` would halve the latency of a lone write, but makes transactions
 * visible before they are flushed and reports a failed flush too late to take them back.
 */
export class LmdbJournal implements Journal {
  readonly durable = true;
  readonly #directory: string;
  readonly #lock: DirectoryLock;
  #tables: Tables | undefined;
  /** The newest revision that is known to be on disk. */
  #acknowledged: Revision = 0;
  #refused = false;
  /** Bytes written since the file was last mapped. */
  #mappedBytes = 0;

  private constructor(directory: string, lock: DirectoryLock) {
    this.#directory = directory;
    this.#lock = lock;
  }

  static async open(directory: string, options: VersionOptions = {}): Promise<LmdbJournal> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = lockDirectory(directory);
    const journal = new LmdbJournal(directory, lock);
    try {
      const isNew = !existsSync(dataFileOf(directory)) || existsSync(creationMarkOf(directory));
      if (isNew) beginCreation(directory);
      else checkDataFile(directory);
      journal.#tables = openTables(directory);
      await journal.#upgrade(options);
      // Restrict the data file, which contains Secrets: the directory may already exist with wider permissions.
      chmodSync(dataFileOf(directory), 0o600);
      rmSync(creationMarkOf(directory), { force: true });
      syncDirectory(directory);
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  async load(reader: JournalReader): Promise<JournalState> {
    const { root } = this.#open();
    const state = detectDamage(this.#directory, () => readAll(this.#open(), reader));
    this.#acknowledged = state.revision;
    if (state.revision === 0) return state;
    // Loading mapped the whole file into memory and copied what the store needs. A new mapping holds only the pages it touches.
    await root.close();
    this.#tables = openTables(this.#directory);
    return state;
  }

  async append(take: () => JournalBatch): Promise<void> {
    // Wait for the end of the turn, so that requests that arrived together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#refused || this.#mappedBytes > mappedBytesMax) await this.#reopen();
    const { root, meta, objects, history } = this.#open();
    const batch = take();
    this.#mappedBytes += sizeOf(batch);
    const committed = root.batch(() => {
      for (const write of batch.writes) {
        const key = diskKeyOf(write.key);
        if (write.record === undefined) void objects.remove(key);
        else void objects.put(key, sealValue(key, write.record));
        if (write.undo !== undefined) putSealed(history, revisionKey(write.revision), write.undo);
      }
      for (const revision of batch.dropped) void history.remove(revisionKey(revision));
      putSealed(meta, stateKey, encodeState(batch));
    });
    try {
      await committed;
    } catch (error) {
      this.#refused = true;
      throw await causeOf(error);
    }
    this.#acknowledged = batch.revision;
  }

  async close(): Promise<void> {
    const tables = this.#tables;
    this.#tables = undefined;
    await tables?.root.close();
    this.#lock.release();
  }

  #open(): Tables {
    if (this.#tables === undefined) throw new Error('the journal is closed');
    return this.#tables;
  }

  /**
   * Reopens the environment. After a failed write of its root page, LMDB accepts no more transactions and the library would
   * wait forever. The new environment reads the disk again, which shows whether the failed batch was committed after all. If it
   * was, memory and disk disagree and the process must restart.
   */
  async #reopen(): Promise<void> {
    const oldTables = this.#tables;
    this.#tables = undefined;
    // Keep the flag until the environment is open, so that the next append tries again if opening fails.
    this.#refused = true;
    await oldTables?.root.close();
    this.#tables = openTables(this.#directory);
    this.#mappedBytes = 0;
    const { revision } = readState(this.#tables.meta);
    if (revision !== this.#acknowledged) {
      throw new Error(
        `revision ${revision} was committed although its commit reported a failure: restart the process to load it`,
      );
    }
    this.#refused = false;
  }

  /** Brings the data into the current format and records the version of the program, in one transaction. */
  async #upgrade({ writer, beforeChange }: VersionOptions): Promise<void> {
    const tables = this.#open();
    const found = readDataVersion(tables.meta);
    if (found.format > formatVersion) throw new UnsupportedFormat(this.#directory, found);
    const isNew = found.format === 0;
    if (!isNew && !isChange(found, writer)) return;
    if (!isNew) await beforeChange?.(found);
    tables.root.transactionSync(() => {
      if (!isNew && found.format < checksumFormat) sealAll(tables);
      writeDataVersion(tables.meta, { format: formatVersion, writer: writer ?? found.writer });
    });
  }
}

export interface JournalSnapshot {
  readonly revision: Revision;
  readonly records: readonly Buffer[];
  readonly version: DataVersion;
}

/**
 * Reads a consistent snapshot without the directory lock: LMDB isolates readers, so the owning process can keep writing. Returns
 * undefined if there is no data.
 */
export async function readSnapshot(directory: string): Promise<JournalSnapshot | undefined> {
  if (!existsSync(dataFileOf(directory))) return undefined;
  // The pages of a file that is being written change while they are checked. Its owner checked them when it started.
  if (directoryOwner(directory) === undefined) checkDataFile(directory);
  const { root, meta, objects, history } = openTables(directory, { readOnly: true });
  const transaction = root.useReadTransaction();
  try {
    const version = readDataVersion(meta, { transaction });
    if (version.format > formatVersion) throw new UnsupportedFormat(directory, version);
    const hasChecksums = version.format >= checksumFormat;
    const opened = (key: Buffer, value: Buffer): Buffer => (hasChecksums ? openValue(key, value) : value);
    return detectDamage(directory, () => {
      const records: Buffer[] = [];
      for (const { key, value } of objects.getRange({ transaction })) records.push(opened(key, value));
      for (const { key, value } of history.getRange({ transaction })) opened(key, value);
      const state = meta.get(stateKey, { transaction });
      return { revision: decodeState(state && opened(stateKey, state)).revision, records, version };
    });
  } finally {
    transaction.done();
    await root.close();
  }
}

const stateKey = Buffer.from('state');

export function dataFileOf(directory: string): string {
  return join(directory, 'data.mdb');
}

/** Throws if the data file is damaged. Must run before the file is mapped: LMDB would end the process with a signal. */
export function checkDataFile(directory: string): void {
  const problem = findDamage(dataFileOf(directory));
  if (problem !== undefined) throw new DamagedStore(dataFileOf(directory), problem);
}

/**
 * Marks a data file that is being created. A crash may leave an empty file, which would be reported as damaged. While the mark
 * exists, nothing was committed yet and the file can be created again.
 */
function beginCreation(directory: string): void {
  rmSync(dataFileOf(directory), { force: true });
  writeFileSync(creationMarkOf(directory), '', { mode: 0o600 });
  syncDirectory(directory);
}

function creationMarkOf(directory: string): string {
  return join(directory, 'creating');
}

function readAll({ meta, objects, history }: Tables, reader: JournalReader): JournalState {
  for (const key of objects.getKeys({})) reader.record(openValue(key, readTransient(objects, key)));
  for (const key of history.getKeys({})) reader.undo(key.readDoubleBE(0), openValue(key, readTransient(history, key)));
  return readState(meta);
}

function readState(meta: Table): JournalState {
  const value = meta.get(stateKey);
  return decodeState(value && openValue(stateKey, value));
}

function detectDamage<Result>(directory: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ChecksumMismatch) throw new DamagedStore(dataFileOf(directory), error.message);
    throw error;
  }
}

function putSealed(table: Table, key: Buffer, value: Buffer): void {
  void table.put(key, sealValue(key, value));
}

/** Adds checksums to the values of format 1. */
function sealAll({ meta, objects, history }: Tables): void {
  for (const table of [objects, history]) {
    // Read all keys first: writing while iterating would visit changed entries again.
    const keys = Array.from(table.getKeys({}));
    for (const key of keys) {
      const value = table.get(key);
      if (value !== undefined) putSealed(table, key, value);
    }
  }
  const state = meta.get(stateKey);
  if (state !== undefined) putSealed(meta, stateKey, state);
}

function openTables(directory: string, options: { readonly readOnly?: boolean } = {}): Tables {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(directory, {
    ...binary,
    ...options,
    overlappingSync: false,
    // The map reserves address space, not memory or disk. It starts large, because growing a small map leaves the old maps in
    // place; beyond this size it grows.
    mapSize: 16 * 1_024 ** 3,
    // The commit queue groups writes, and each batch must be exactly one transaction.
    eventTurnBatching: false,
    noSubdir: false,
  });
  return {
    root,
    meta: root.openDB({ name: 'meta', ...binary }),
    objects: root.openDB({ name: 'objects', ...binary }),
    history: root.openDB({ name: 'history', ...binary }),
  };
}

function sizeOf(batch: JournalBatch): number {
  let bytes = 0;
  for (const { record, undo } of batch.writes) bytes += (record?.length ?? 0) + (undo?.length ?? 0);
  return bytes;
}

/**
 * Reads a value into the library's shared buffer, because allocating tens of thousands of buffers would burden garbage
 * collection.
 */
function readTransient(table: Table, key: Buffer): Buffer {
  const value = table.getBinaryFast(key);
  if (value === undefined) throw new Error('a record disappeared while it was read');
  return value.subarray(0, value.length);
}

/** Flushes the directory: a new file survives a power loss only if its directory was flushed too. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns the key on disk. It is only looked up, never decoded, so a long key is replaced by its hash. */
function diskKeyOf(key: StorageKey): Buffer {
  const bytes = Buffer.from(idOf(key));
  if (bytes.length <= keyLengthMax) return bytes;
  return Buffer.concat([Buffer.from('\0'), createHash('sha256').update(bytes).digest()]);
}

function revisionKey(revision: Revision): Buffer {
  // The bytes of positive doubles in big-endian order sort like their values.
  const key = Buffer.allocUnsafe(8);
  key.writeDoubleBE(revision, 0);
  return key;
}

function encodeState(state: JournalState): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeDoubleBE(state.revision, 0);
  bytes.writeDoubleBE(state.compacted, 8);
  return bytes;
}

function decodeState(bytes: Buffer | undefined): JournalState {
  if (bytes === undefined) return { revision: 0, compacted: 0 };
  return { revision: bytes.readDoubleBE(0), compacted: bytes.readDoubleBE(8) };
}

/**
 * Returns the I/O error behind a failed commit. The library rejects with a generic error and provides the I/O error in a promise
 * that rejects later.
 */
async function causeOf(error: unknown): Promise<unknown> {
  const detail = (error as { commitError?: Promise<never> }).commitError;
  if (detail === undefined) return error;
  return detail.catch((cause: unknown) => cause);
}
