import { silentLogger, systemClock } from '@slipway/base';
import type { Clock, Logger } from '@slipway/base';
import type { Encryption } from '../encryption/index.js';
import { EncryptedJournal } from './encrypted-journal.js';
import type { FakeDisk } from './fake-disk.js';
import type { HistoryLimits } from './history.js';
import type { Journal } from './journal.js';
import type { VersionOptions } from './data-version.js';
import { LmdbJournal } from './lmdb-journal.js';
import { LogJournal } from './log-journal.js';
import { ObjectStore, type StoreLimits } from './object-store.js';
import { VolatileJournal } from './volatile-journal.js';

export interface StoreOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Limits of the history that is kept for watches and lists at old revisions. The first limit reached applies. */
  readonly history?: Partial<HistoryLimits>;
  readonly secondFormBytes?: number;
  /** Encrypts objects on disk. Without it, a store that holds encrypted objects cannot be opened. */
  readonly encryption?: Encryption;
}

export interface DurableStoreOptions extends StoreOptions, VersionOptions {
  /** Data directory. Created if absent, and locked against other processes. */
  readonly directory: string;
}

export interface JournalStoreOptions extends StoreOptions {
  readonly journal: Journal;
}

export interface MemoryStoreOptions extends StoreOptions {
  /** Simulated disk, which outlives the store and may crash under it. If undefined, nothing is persisted. */
  readonly disk?: FakeDisk;
}

const mebibyte = 1_048_576;

/** Default limits of the history. Its age limit is the interval at which upstream compacts etcd: five minutes. */
const historyLimits: HistoryLimits = { maxEvents: 20_000, maxBytes: 32 * mebibyte, maxAgeMs: 300_000 };

export async function openStore(options: DurableStoreOptions | JournalStoreOptions): Promise<ObjectStore> {
  const journal = 'journal' in options ? options.journal : await LmdbJournal.open(options.directory, options);
  return await openOn(journal, options);
}

export function openMemoryStore(options: MemoryStoreOptions = {}): Promise<ObjectStore> {
  const { disk, ...others } = options;
  if (disk !== undefined) return openOn(new LogJournal(disk), others);
  // Keep less history: one process may hold hundreds of in-memory stores, one per simulated cluster.
  const history = { maxEvents: 5_000, ...options.history };
  return openOn(new VolatileJournal(), { secondFormBytes: 2 * mebibyte, ...others, history });
}

async function openOn(medium: Journal, options: StoreOptions): Promise<ObjectStore> {
  const { encryption } = options;
  const journal = encryption === undefined ? medium : new EncryptedJournal(medium, encryption);
  const limits: StoreLimits = {
    history: { ...historyLimits, ...options.history },
    batch: { maxWrites: 512, maxBytes: 8 * mebibyte },
    // Enough for the working set: at least a thousand large objects, about 20 MB parsed.
    secondFormBytes: options.secondFormBytes ?? 6 * mebibyte,
  };
  const { clock = systemClock, log = silentLogger } = options;
  try {
    return await ObjectStore.open({ journal, clock, log, limits });
  } catch (error) {
    await journal.close();
    throw error;
  }
}
