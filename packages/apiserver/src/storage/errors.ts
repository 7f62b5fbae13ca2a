import type { Revision, StorageKey } from '../contract/index.js';

export class RevisionMismatch extends Error {
  constructor(readonly key: StorageKey) {
    super(`${key.resource} ${key.namespace}/${key.name} changed since it was read`);
    this.name = 'RevisionMismatch';
  }
}

/** The requested revision is older than the history that is kept. */
export class Compacted extends Error {
  constructor(
    readonly requested: Revision,
    readonly oldest: Revision,
  ) {
    super(`revision ${requested} is compacted, history begins at ${oldest}`);
    this.name = 'Compacted';
  }
}

/** The disk refused a write (full, failed fsync). The store stays readable; nothing of the refused batch is visible. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('storage refused the write', { cause });
    this.name = 'StorageUnavailable';
  }
}
