import type { DiskFile, FakeDisk } from './fake-disk.js';
import type { Journal, JournalBatch, JournalReader, JournalState } from './journal.js';
import { decodeFrame, encodeFrame, type Frame, type FrameWrite } from './log-frame.js';
import { idOf } from './pending-writes.js';
import type { Revision } from '../contract/index.js';

const checkpointBytesMin = 1_048_576;

/**
 * A journal as a log of checksummed batches on a simulated disk. It gives the same guarantees as the LMDB journal, with
 * injected faults and virtual time.
 */
export class LogJournal implements Journal {
  readonly durable = true;
  readonly #file: DiskFile;
  readonly #records = new Map<string, Buffer>();
  readonly #undos = new Map<Revision, Buffer>();
  #state: JournalState = { revision: 0, compacted: 0 };
  /** Length of the log up to the end of the last acknowledged batch. */
  #length = 0;
  #liveBytes = 0;
  #dirty = false;

  constructor(disk: FakeDisk) {
    this.#file = disk.open();
  }

  load(reader: JournalReader): Promise<JournalState> {
    const log = this.#file.read();
    for (let next = decodeFrame(log, 0); next !== undefined; next = decodeFrame(log, this.#length)) {
      this.#apply(next.frame);
      this.#length = next.end;
    }
    // Data after the last whole batch was never acknowledged: the next append must remove it.
    this.#dirty = log.length > this.#length;
    for (const record of this.#records.values()) reader.record(record);
    for (const [revision, undo] of this.#undos) reader.undo(revision, undo);
    return Promise.resolve(this.#state);
  }

  async append(take: () => JournalBatch): Promise<void> {
    await Promise.resolve();
    const batch = take();
    const writes = batch.writes.map(({ key, revision, record, undo }) => ({ id: idOf(key), revision, record, undo }));
    const frame: Frame = { revision: batch.revision, compacted: batch.compacted, dropped: batch.dropped, writes };
    const bytes = encodeFrame(frame);
    if (this.#dirty) this.#file.truncate(this.#length);
    this.#dirty = true;
    this.#file.append(bytes);
    await this.#file.sync();
    this.#dirty = false;
    this.#length += bytes.length;
    this.#apply(frame);
    if (this.#length > checkpointBytesMin && this.#length > 4 * this.#liveBytes) await this.#checkpoint();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Rewrites the log as one batch with the whole state. A failure is ignored: the next compaction tries again. */
  async #checkpoint(): Promise<void> {
    const writes: FrameWrite[] = [
      ...[...this.#records].map(([id, record]) => ({ revision: 0, id, record, undo: undefined })),
      ...[...this.#undos].map(([revision, undo]) => ({ revision, id: '', record: undefined, undo })),
    ];
    const bytes = encodeFrame({ ...this.#state, dropped: [], writes });
    const replaced = await this.#file.replace(bytes).then(
      () => true,
      () => false,
    );
    if (replaced) this.#length = bytes.length;
  }

  #apply(frame: Frame): void {
    for (const { id, revision, record, undo } of frame.writes) {
      this.#liveBytes -= this.#records.get(id)?.length ?? 0;
      if (record === undefined) this.#records.delete(id);
      else this.#records.set(id, record);
      if (undo !== undefined) this.#undos.set(revision, undo);
      this.#liveBytes += (record?.length ?? 0) + (undo?.length ?? 0);
    }
    for (const revision of frame.dropped) {
      this.#liveBytes -= this.#undos.get(revision)?.length ?? 0;
      this.#undos.delete(revision);
    }
    this.#state = { revision: frame.revision, compacted: frame.compacted };
  }
}
