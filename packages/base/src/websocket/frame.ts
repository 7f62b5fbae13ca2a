import { createHash } from 'node:crypto';

export const webSocketOpcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface WebSocketMessage {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** The peer violated the protocol. The connection must be closed. */
class WebSocketError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebSocketError';
  }
}

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const finalBit = 0x80;
const maskBit = 0x80;

/** Returns the value of the Sec-WebSocket-Accept header for the client's Sec-WebSocket-Key. */
export function webSocketAccept(key: string): string {
  return createHash('sha1')
    .update(key + acceptSuffix)
    .digest('base64');
}

/** Encodes a message as one frame. Clients must pass a mask of four bytes, servers none. */
export function encodeWebSocketFrame(opcode: number, payload: Uint8Array, mask?: Uint8Array): Buffer {
  const header = headerOf(opcode, payload.length, mask !== undefined);
  if (mask === undefined) return Buffer.concat([header, payload]);
  const frame = Buffer.concat([header, mask, payload]);
  applyMask(frame.subarray(header.length + mask.length), mask);
  return frame;
}

function headerOf(opcode: number, length: number, isMasked: boolean): Buffer {
  const mark = isMasked ? maskBit : 0;
  if (length < 126) return Buffer.from([finalBit | opcode, mark | length]);
  if (length < 0x1_0000) {
    const header = Buffer.from([finalBit | opcode, mark | 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header.set([finalBit | opcode, mark | 127]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

function applyMask(bytes: Uint8Array, mask: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (bytes[index] ?? 0) ^ (mask[index & 3] ?? 0);
}

interface FrameHeader {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly mask: Uint8Array | undefined;
  readonly start: number;
  readonly end: number;
}

/** Assembles WebSocket messages from received bytes. */
export class WebSocketDecoder {
  readonly #payloadBytesMax: number;
  #waiting: Uint8Array[] = [];
  #waitingLength = 0;
  /** The number of bytes at which the next frame may be complete. Chunks are joined once per frame, not once per chunk. */
  #requiredLength = 0;
  /** Opcode and received fragments of a message that spans several frames. */
  #opcode: number | undefined;
  #parts: Uint8Array[] = [];

  constructor(options: { readonly payloadBytesMax: number }) {
    this.#payloadBytesMax = options.payloadBytesMax;
  }

  /** Returns the messages that `chunk` completes. The decoder takes ownership of `chunk`. */
  push(chunk: Uint8Array): WebSocketMessage[] {
    this.#waiting.push(chunk);
    this.#waitingLength += chunk.length;
    if (this.#waitingLength < this.#requiredLength) return [];
    let bytes = Buffer.concat(this.#waiting);
    const messages: WebSocketMessage[] = [];
    let header = this.#header(bytes);
    while (header !== undefined && bytes.length >= header.end) {
      const message = this.#message(header, payloadOf(bytes, header));
      if (message !== undefined) messages.push(message);
      bytes = bytes.subarray(header.end);
      header = this.#header(bytes);
    }
    // Copy the rest, so that it does not keep a large chunk in memory.
    this.#waiting = [Buffer.from(bytes)];
    this.#waitingLength = bytes.length;
    this.#requiredLength = header?.end ?? 0;
    return messages;
  }

  #header(bytes: Buffer): FrameHeader | undefined {
    const [first, second] = bytes;
    if (first === undefined || second === undefined) return undefined;
    if ((first & 0x70) !== 0) throw new WebSocketError('frame uses an extension that was not negotiated');
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = (second & maskBit) === 0 ? 0 : 4;
    const start = 2 + lengthBytes + maskBytes;
    if (bytes.length < start) return undefined;
    const length =
      lengthBytes === 0 ? short : Number(lengthBytes === 2 ? bytes.readUInt16BE(2) : bytes.readBigUInt64BE(2));
    if (length > this.#payloadBytesMax) throw new WebSocketError(`frame of ${length} bytes exceeds the limit`);
    return {
      isFinal: (first & finalBit) !== 0,
      opcode: first & 0x0f,
      mask: maskBytes === 0 ? undefined : bytes.subarray(start - maskBytes, start),
      start,
      end: start + length,
    };
  }

  #message({ opcode, isFinal }: FrameHeader, payload: Uint8Array): WebSocketMessage | undefined {
    // Control frames may be interleaved with the fragments of a message.
    if (opcode >= webSocketOpcodes.close) return { opcode, payload };
    const isContinuation = opcode === webSocketOpcodes.continuation;
    if (isContinuation !== (this.#opcode !== undefined))
      throw new WebSocketError('frames of two messages are interleaved');
    if (!isContinuation && isFinal) return { opcode, payload };
    this.#opcode ??= opcode;
    this.#parts.push(Buffer.from(payload));
    if (this.#parts.reduce((sum, part) => sum + part.length, 0) > this.#payloadBytesMax)
      throw new WebSocketError('message exceeds the limit');
    if (!isFinal) return undefined;
    const message = { opcode: this.#opcode, payload: Buffer.concat(this.#parts) };
    this.#opcode = undefined;
    this.#parts = [];
    return message;
  }
}

function payloadOf(bytes: Buffer, { mask, start, end }: FrameHeader): Uint8Array {
  const payload = bytes.subarray(start, end);
  if (mask === undefined) return payload;
  const plain = Buffer.from(payload);
  applyMask(plain, mask);
  return plain;
}
