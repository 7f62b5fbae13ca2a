import { crc32 } from 'node:zlib';
import type { JournalState } from './journal.js';
import type { Revision } from '../contract/index.js';

export interface FrameWrite {
  readonly revision: Revision;
  /** The key as one string. */
  readonly id: string;
  readonly record: Buffer | undefined;
  readonly undo: Buffer | undefined;
}

export interface Frame extends JournalState {
  readonly writes: readonly FrameWrite[];
  readonly dropped: readonly Revision[];
}

/** Format of a frame: `length u32 | crc32 u32 | payload`. The checksum detects a partly written frame. */
const headerLength = 8;

export function encodeFrame(frame: Frame): Buffer {
  const { revision, compacted, dropped, writes } = frame;
  const buffers: Buffer[] = [];
  const heads = writes.map((write) => {
    for (const buffer of [write.record, write.undo]) if (buffer !== undefined) buffers.push(buffer);
    return [write.revision, write.id, write.record?.length ?? -1, write.undo?.length ?? -1];
  });
  const head = Buffer.from(JSON.stringify({ revision, compacted, dropped, heads }));
  const headLength = Buffer.alloc(4);
  headLength.writeUInt32BE(head.length);
  const payload = Buffer.concat([headLength, head, ...buffers]);
  const header = Buffer.alloc(headerLength);
  header.writeUInt32BE(payload.length, 0);
  header.writeUInt32BE(crc32(payload), 4);
  return Buffer.concat([header, payload]);
}

/** Decodes the frame at `start`. Returns it with the offset of the next frame, or undefined after the last whole frame. */
export function decodeFrame(log: Buffer, start: number): { frame: Frame; end: number } | undefined {
  if (start + headerLength > log.length) return undefined;
  const length = log.readUInt32BE(start);
  const end = start + headerLength + length;
  // The zeros of a torn write would be read as an empty frame, because the checksum of empty data is zero.
  if (length === 0 || end > log.length) return undefined;
  const payload = log.subarray(start + headerLength, end);
  if (crc32(payload) !== log.readUInt32BE(start + 4)) return undefined;
  return { frame: decodePayload(payload), end };
}

type Head = readonly [Revision, string, number, number];

function decodePayload(payload: Buffer): Frame {
  let at = 4 + payload.readUInt32BE(0);
  const head = JSON.parse(payload.toString('utf8', 4, at)) as Omit<Frame, 'writes'> & {
    readonly heads: readonly Head[];
  };
  const next = (length: number): Buffer | undefined => {
    if (length < 0) return undefined;
    at += length;
    return Buffer.from(payload.subarray(at - length, at));
  };
  const writes = head.heads.map(([revision, id, recordLength, undoLength]) => ({
    revision,
    id,
    record: next(recordLength),
    undo: next(undoLength),
  }));
  return { revision: head.revision, compacted: head.compacted, dropped: head.dropped, writes };
}
