/** The wire types of protobuf that etcd's messages use: varints and length-delimited bytes. */
const wireVarint = 0;
const wireFixed64 = 1;
const wireBytes = 2;
const wireFixed32 = 5;

export class WireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WireError';
  }
}

export class WireWriter {
  readonly #bytes: number[] = [];

  varint(field: number, value: bigint): void {
    this.#raw(BigInt((field << 3) | wireVarint));
    this.#raw(BigInt.asUintN(64, value));
  }

  bytes(field: number, value: Uint8Array): void {
    this.#raw(BigInt((field << 3) | wireBytes));
    this.#raw(BigInt(value.length));
    for (const byte of value) this.#bytes.push(byte);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #raw(value: bigint): void {
    let rest = value;
    while (rest > 0x7fn) {
      this.#bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.#bytes.push(Number(rest));
  }
}

export type WireField =
  | { readonly field: number; readonly varint: bigint }
  | { readonly field: number; readonly bytes: Uint8Array };

/** Reads the fields of a message in order. Fields of other wire types are skipped like unknown fields. */
export function* readWire(bytes: Uint8Array): Generator<WireField> {
  const reader = new WireReader(bytes);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const field = Number(tag >> 3n);
    switch (Number(tag & 7n)) {
      case wireVarint:
        yield { field, varint: reader.varint() };
        break;
      case wireBytes:
        yield { field, bytes: reader.take(Number(reader.varint())) };
        break;
      case wireFixed64:
        reader.take(8);
        break;
      case wireFixed32:
        reader.take(4);
        break;
      default:
        throw new WireError(`field ${field} has an unknown wire type`);
    }
  }
}

class WireReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw new WireError('the message ends within a number');
      this.#position += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('a number is longer than 64 bits');
  }

  take(length: number): Uint8Array {
    const end = this.#position + length;
    if (!Number.isSafeInteger(end) || end > this.#bytes.length) throw new WireError('the message ends within a field');
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}

/** Length of the gRPC prefix: one byte for the compression flag, and four for the length of the message. */
const prefixLength = 5;

class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

/** Returns the body of a gRPC call with one message. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(prefixLength + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, prefixLength);
  return frame;
}

/** Returns the message of a body. Throws unless the body contains exactly one. */
export function decodeFrame(body: Uint8Array): Uint8Array {
  if (body.length < prefixLength) throw new FrameError('the response has no message');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== 0) throw new FrameError('the response is compressed, but compression was not requested');
  if (view.getUint32(1) !== body.length - prefixLength) throw new FrameError('the response is truncated');
  return body.subarray(prefixLength);
}
