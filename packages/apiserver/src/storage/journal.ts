import type { Revision, StorageKey } from '../contract/index.js';

/** One change as it goes to disk. */
export interface JournalWrite {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** The new state of the key, or undefined when it is deleted. */
  readonly record: Buffer | undefined;
  /** How to undo the change: what watches and old lists are rebuilt from after a restart. Absent: without history. */
  readonly undo: Buffer | undefined;
}

/** Changes that become durable together or not at all, in order of revision. */
export interface JournalBatch {
  readonly writes: readonly JournalWrite[];
  /** The newest revision of the batch. */
  readonly revision: Revision;
  /** Undo records up to this revision are of no use any more. */
  readonly compacted: Revision;
  /** The revisions whose undo records are to be removed now. */
  readonly dropped: readonly Revision[];
}

export interface JournalState {
  readonly revision: Revision;
  readonly compacted: Revision;
}

/** Receives the content. The buffers are valid during the call only: whoever keeps one copies it. */
export interface JournalReader {
  record(record: Buffer): void;
  /** In order of revision. */
  undo(revision: Revision, undo: Buffer): void;
}

/**
 * Where a store keeps what must survive: an atomic, durable batch of changes at a time. Everything else (revisions,
 * comparing, indexes, watches) is the store's and is the same above every journal.
 */
export interface Journal {
  /** False when nothing is kept: then nobody needs to encode records that nobody reads. */
  readonly durable: boolean;
  /** Reads everything, once, before the first append. */
  load(reader: JournalReader): Promise<JournalState>;
  /**
   * Makes one batch durable. The batch is taken at the last moment, so that writes which arrive in the same turn share a
   * flush. Rejects when the disk refuses: then the batch is not there, and the next append is tried as if it had never
   * been. (After a crash that follows a refused append directly, that batch may turn out to be there, as a whole.)
   */
  append(take: () => JournalBatch): Promise<void>;
  close(): Promise<void>;
}
