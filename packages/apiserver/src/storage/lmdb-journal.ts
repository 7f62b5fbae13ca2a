import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { type DirectoryLock, lockDirectory } from './directory-lock.js';
import type { Journal, JournalBatch, JournalReader, JournalState } from './journal.js';
import { idOf } from './pending-writes.js';
import type { Revision, StorageKey } from '../contract/index.js';

/** Raised when the layout on disk changes so that older programs would misread it. */
const formatVersion = 1;
const keyLengthMax = 1_024;
/**
 * Every page that a transaction touches stays in the memory map, with its neighbours, and counts as ours although nobody
 * reads it again. A fresh map after this many bytes, a matter of a few milliseconds, keeps that from growing with the data.
 */
const mappedBytesMax = 16 * 1_024 ** 2;

type Table = Database<Buffer, Buffer>;

interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** `format`, and `state` with the newest revision. */
  readonly meta: Table;
  readonly objects: Table;
  readonly history: Table;
}

export class UnsupportedFormat extends Error {
  constructor(directory: string, found: number) {
    super(
      `${directory} holds data of format ${found}, this version reads up to ${formatVersion}: ` +
        'it was written by a newer version, use that one or restore a backup',
    );
    this.name = 'UnsupportedFormat';
  }
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
  /** Written since the file was last mapped. */
  #mappedBytes = 0;

  private constructor(directory: string, lock: DirectoryLock) {
    this.#directory = directory;
    this.#lock = lock;
  }

  static open(directory: string): LmdbJournal {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = lockDirectory(directory);
    try {
      const journal = new LmdbJournal(directory, lock);
      journal.#tables = openTables(directory);
      journal.#checkFormat(journal.#tables);
      // The directory may have been made by somebody else, with wider permissions than ours; Secrets are in here.
      chmodSync(join(directory, 'data.mdb'), 0o600);
      syncDirectory(directory);
      return journal;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async load(reader: JournalReader): Promise<JournalState> {
    const { root, meta, objects, history } = this.#open();
    for (const key of objects.getKeys({})) reader.record(readTransient(objects, key));
    for (const key of history.getKeys({})) reader.undo(key.readDoubleBE(0), readTransient(history, key));
    const state = decodeState(meta.get(stateKey));
    this.#acknowledged = state.revision;
    if (state.revision === 0) return state;
    // Reading mapped the whole file into memory; what we need of it was copied. A fresh mapping holds only what is touched.
    await root.close();
    this.#tables = openTables(this.#directory);
    return state;
  }

  async append(take: () => JournalBatch): Promise<void> {
    // The end of the turn: requests that arrived together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#refused || this.#mappedBytes > mappedBytesMax) await this.#reopen();
    const { root, meta, objects, history } = this.#open();
    const batch = take();
    this.#mappedBytes += sizeOf(batch);
    const committed = root.batch(() => {
      for (const write of batch.writes) {
        const key = diskKeyOf(write.key);
        if (write.record === undefined) void objects.remove(key);
        else void objects.put(key, write.record);
        if (write.undo !== undefined) void history.put(revisionKey(write.revision), write.undo);
      }
      for (const revision of batch.dropped) void history.remove(revisionKey(revision));
      void meta.put(stateKey, encodeState(batch));
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
   * Maps the file afresh. After a refused write of its root page LMDB takes no more transactions, and the library would wait for ever. A fresh
   * environment reads the disk again, which tells whether the refused batch is there after all: then memory and disk
   * disagree, and only a restart may go on.
   */
  async #reopen(): Promise<void> {
    const outworn = this.#tables;
    this.#tables = undefined;
    // Should it fail here, the next append tries again.
    this.#refused = true;
    await outworn?.root.close();
    this.#tables = openTables(this.#directory);
    this.#mappedBytes = 0;
    const { revision } = decodeState(this.#tables.meta.get(stateKey));
    if (revision !== this.#acknowledged) {
      throw new Error(`the disk kept revision ${revision}, which it had refused: restart to load it`);
    }
    this.#refused = false;
  }

  #checkFormat({ root, meta }: Tables): void {
    const found = meta.get(formatKey);
    if (found === undefined) {
      root.transactionSync(() => void meta.put(formatKey, Buffer.from(String(formatVersion))));
    } else if (Number(found.toString()) > formatVersion) {
      void root.close();
      throw new UnsupportedFormat(this.#directory, Number(found.toString()));
    }
  }
}

export interface JournalSnapshot {
  readonly revision: Revision;
  readonly records: readonly Buffer[];
}

/**
 * The content at one moment, read without the lock: LMDB gives every reader its own version, so that the process which
 * owns the directory goes on writing meanwhile. Undefined when there is no data.
 */
export async function readSnapshot(directory: string): Promise<JournalSnapshot | undefined> {
  if (!existsSync(join(directory, 'data.mdb'))) return undefined;
  const { root, meta, objects } = openTables(directory, { readOnly: true });
  const transaction = root.useReadTransaction();
  try {
    const format = Number((meta.get(formatKey, { transaction }) ?? '0').toString());
    if (format > formatVersion) throw new UnsupportedFormat(directory, format);
    const records: Buffer[] = [];
    for (const { value } of objects.getRange({ transaction })) records.push(value);
    return { revision: decodeState(meta.get(stateKey, { transaction })).revision, records };
  } finally {
    transaction.done();
    await root.close();
  }
}

const formatKey = Buffer.from('format');
const stateKey = Buffer.from('state');

function openTables(directory: string, options: { readonly readOnly?: boolean } = {}): Tables {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(directory, {
    ...binary,
    ...options,
    overlappingSync: false,
    // Address space, not memory or disk. Growing a small map leaves the outgrown ones mapped; beyond this it does grow.
    mapSize: 16 * 1_024 ** 3,
    // We group writes ourselves and want each batch to be exactly one transaction.
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

/** Read into a buffer that the library uses again: tens of thousands of buffers at once would only feed the collector. */
function readTransient(table: Table, key: Buffer): Buffer {
  const value = table.getBinaryFast(key);
  if (value === undefined) throw new Error('a record vanished while it was read');
  return value.subarray(0, value.length);
}

/** A new file is only there after a power loss if its directory was flushed as well. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Keys on disk are only looked up, never read: a long one may as well be a hash. */
function diskKeyOf(key: StorageKey): Buffer {
  const bytes = Buffer.from(idOf(key));
  if (bytes.length <= keyLengthMax) return bytes;
  return Buffer.concat([Buffer.from('\0'), createHash('sha256').update(bytes).digest()]);
}

function revisionKey(revision: Revision): Buffer {
  // Doubles above zero sort by their bytes.
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

/** The library rejects with a general error and delivers what the disk said in a promise that rejects later. */
async function causeOf(error: unknown): Promise<unknown> {
  const detail = (error as { commitError?: Promise<never> }).commitError;
  if (detail === undefined) return error;
  return detail.catch((cause: unknown) => cause);
}
