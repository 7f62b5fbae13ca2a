export { backupDirectory, InvalidBackup, restoreBackup } from './backup.js';
export { DirectoryInUse, directoryOwner } from './directory-lock.js';
export { Compacted, DamagedStore, RevisionMismatch, StorageUnavailable } from './errors.js';
export { FakeDisk } from './fake-disk.js';
export { readSnapshot, UnsupportedFormat } from './lmdb-journal.js';
export { ObjectStore } from './object-store.js';
export { openMemoryStore, openStore } from './open-store.js';
export { rewriteDirectory } from './rewrite.js';
