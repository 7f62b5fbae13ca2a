import type { Revision, StorageKey } from '../contract/index.js';

/** One change as it is written to disk. */
export interface JournalWrite {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** The new state of the key, or undefined when it is deleted. */
  readonly record: Buffer | undefined;
  /** Undo record, from which watches and lists at old revisions are rebuilt after a restart. If undefined, no history is kept. */
  readonly undo: Buffer | undefined;
}

/** Changes that are committed atomically, in revision order. */
export interface JournalBatch {
  readonly writes: readonly JournalWrite[];
  /** The newest revision of the batch. */
  readonly revision: Revision;
  /** Undo records up to this revision are compacted. */
  readonly compacted: Revision;
  /** Revisions whose undo records this batch removes. */
  readonly dropped: readonly Revision[];
}

export interface JournalState {
  readonly revision: Revision;
  readonly compacted: Revision;
}

/** Receives the content of a journal. Buffers are valid during the call only; copy them to keep them. */
export interface JournalReader {
  record(record: Buffer): void;
  /** Receives an undo record. Called in order of revision. */
  undo(revision: Revision, undo: Buffer): void;
}

/**
 * Durable medium of a store: commits atomic batches of changes. Everything else (revisions, comparison, indexes, watches)
 * belongs to the store and is the same for every journal.
 */
export interface Journal {
  /** False if the journal keeps nothing; the store then does not encode records for it. */
  readonly durable: boolean;
  /** Reads everything, once, before the first append. */
  load(reader: JournalReader): Promise<JournalState>;
  /**
   * Commits one batch. The batch is taken at the last moment, so that writes of the same event loop turn share a flush.
   * Rejects if the commit fails. In that case the batch is not applied, and the next append proceeds as usual. After a
   * crash directly following a failed append, the failed batch may turn out to be committed, as a whole.
   */
  append(take: () => JournalBatch): Promise<void>;
  close(): Promise<void>;
}
