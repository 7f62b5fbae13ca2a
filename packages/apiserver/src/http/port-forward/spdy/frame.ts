const headerBytes = 8;
const version = 3;
const controlBit = 0x8000_0000;
const streamIdMask = 0x7fff_ffff;

export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const finFlag = 1;

export type SpdyFrame =
  | { readonly kind: 'data'; readonly streamId: number; readonly flags: number; readonly payload: Buffer }
  | { readonly kind: 'control'; readonly type: number; readonly flags: number; readonly payload: Buffer };

/** Splits the bytes of a connection into frames. */
export class SpdyFrameReader {
  #waiting: Buffer = Buffer.alloc(0);

  constructor(private readonly payloadBytesMax: number) {}

  push(chunk: Buffer): SpdyFrame[] {
    let bytes = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    const frames: SpdyFrame[] = [];
    while (bytes.length >= headerBytes) {
      const length = bytes.readUIntBE(5, 3);
      if (length > this.payloadBytesMax) throw new RangeError(`a frame of ${length} bytes is longer than allowed`);
      if (bytes.length < headerBytes + length) break;
      frames.push(frameOf(bytes, Buffer.from(bytes.subarray(headerBytes, headerBytes + length))));
      bytes = bytes.subarray(headerBytes + length);
    }
    this.#waiting = Buffer.from(bytes);
    return frames;
  }
}

function frameOf(bytes: Buffer, payload: Buffer): SpdyFrame {
  const first = bytes.readUInt32BE(0);
  const flags = bytes.readUInt8(4);
  if (first < controlBit) return { kind: 'data', streamId: first & streamIdMask, flags, payload };
  return { kind: 'control', type: first & 0xffff, flags, payload };
}

export function dataFrame(streamId: number, payload: Uint8Array, flags = 0): Buffer {
  return framed(streamId & streamIdMask, flags, payload);
}

export function controlFrame(type: number, payload: Uint8Array, flags = 0): Buffer {
  return framed(controlBit + (version << 16) + type, flags, payload);
}

function framed(first: number, flags: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(first, 0);
  header.writeUInt8(flags, 4);
  header.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([header, payload]);
}

export function streamIdOf(payload: Buffer): number {
  return payload.readUInt32BE(0) & streamIdMask;
}

export function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
