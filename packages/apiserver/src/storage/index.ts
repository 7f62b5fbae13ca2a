export type {
  Commit,
  ListRange,
  Revision,
  StorageKey,
  Store,
  StoredObject,
  StoreEvent,
  StoreWatch,
} from './store.js';
export { Compacted, RevisionMismatch, StorageUnavailable } from './store.js';
export type { DurableStoreOptions, JournalStoreOptions, MemoryStoreOptions, StoreOptions } from './open-store.js';
export { openMemoryStore, openStore } from './open-store.js';
export type { Journal, JournalBatch, JournalReader, JournalState, JournalWrite } from './journal.js';
export type { DiskFaults } from './fake-disk.js';
export { FakeDisk } from './fake-disk.js';
export type { HistoryLimits } from './history.js';
export type { ObjectStore } from './object-store.js';
export type { RestoreOptions } from './backup.js';
export { backupDirectory, InvalidBackup, restoreBackup } from './backup.js';
export { DirectoryInUse, directoryOwner } from './directory-lock.js';
export { UnsupportedFormat } from './lmdb-journal.js';
