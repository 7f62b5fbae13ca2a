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
