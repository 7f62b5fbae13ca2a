import { decodeRecordHeader, encodeRecord, type RecordHeader } from './record.js';
import type { StorageKey, StoreEvent } from '../contract/index.js';

/** Format of an undo record: kind of change, wall time, and the record it replaced (for a creation a record without JSON). */
export const undoHeaderLength = 9;
const types = ['ADDED', 'MODIFIED', 'DELETED'] as const;

export interface Undo extends RecordHeader {
  readonly type: StoreEvent['type'];
  readonly at: number;
  /** The record that the change replaced. */
  readonly previous: Buffer | undefined;
}

export function encodeUndo(
  type: StoreEvent['type'],
  at: number,
  key: StorageKey,
  previous: Buffer | undefined,
): Buffer {
  const replaced = previous ?? encodeRecord(key, 0, '');
  const undo = Buffer.allocUnsafe(undoHeaderLength + replaced.length);
  undo.writeUInt8(types.indexOf(type), 0);
  undo.writeDoubleBE(at, 1);
  replaced.copy(undo, undoHeaderLength);
  return undo;
}

export function decodeUndo(undo: Buffer): Undo {
  const type = types[undo.readUInt8(0)];
  if (type === undefined) throw new RangeError('undo record of an unknown kind');
  const replaced = undo.subarray(undoHeaderLength);
  return {
    ...decodeRecordHeader(replaced),
    type,
    at: undo.readDoubleBE(1),
    previous: type === 'ADDED' ? undefined : replaced,
  };
}
