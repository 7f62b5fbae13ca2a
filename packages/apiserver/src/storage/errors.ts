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

/** A write failed to commit (disk full, failed fsync). The store stays readable and no write of the failed batch is visible. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('failed to commit the write', { cause });
    this.name = 'StorageUnavailable';
  }
}

/** The data file is empty, truncated or corrupt. It is never replaced by a new one. */
export class DamagedStore extends Error {
  constructor(file: string, problem: string) {
    super(`${file} is damaged: ${problem}`);
    this.name = 'DamagedStore';
  }
}
