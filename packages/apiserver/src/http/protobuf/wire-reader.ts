import { badRequest, type StatusError } from '@slipway/kube';

export type WireType = 0 | 1 | 2 | 5;

export interface FieldKey {
  readonly number: number;
  readonly wire: WireType;
}

export function malformed(why: string): StatusError {
  return badRequest(`unable to decode the protobuf body: ${why}`);
}

/** Reads one message of the protobuf wire format. Never reads past its end; malformed data throws 400. */
export class WireReader {
  #position: number;
  readonly #end: number;

  constructor(
    private readonly bytes: Buffer,
    start = 0,
    end = bytes.length,
  ) {
    this.#position = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#position >= this.#end;
  }

  key(): FieldKey {
    const tag = Number(this.varint() & 0xffff_ffffn);
    const wire = tag & 7;
    const number = tag >>> 3;
    if (number === 0) throw malformed('illegal tag 0');
    if (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5) throw malformed(`illegal wire type ${wire}`);
    return { number, wire };
  }

  /** Reads an unsigned integer of at most 64 bits. */
  varint(): bigint {
    let low = 0;
    let shift = 0;
    // Nearly every varint is a tag, a length or a small number, which needs no bigint arithmetic.
    for (; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (; shift < 70; shift += 7) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed('integer overflow');
  }

  #byte(): number {
    const byte = this.#position < this.#end ? this.bytes[this.#position] : undefined;
    if (byte === undefined) throw malformed('unexpected EOF');
    this.#position += 1;
    return byte;
  }

  double(): number {
    const value = this.bytes.readDoubleLE(this.#skip(8));
    return value;
  }

  /** Returns the extent of a length-delimited field and skips it. */
  slice(): { readonly start: number; readonly end: number } {
    const length = this.varint();
    if (length > BigInt(this.#end - this.#position)) throw malformed('unexpected EOF');
    const start = this.#skip(Number(length));
    return { start, end: this.#position };
  }

  message(): WireReader {
    const { start, end } = this.slice();
    return new WireReader(this.bytes, start, end);
  }

  string(): string {
    const { start, end } = this.slice();
    return this.bytes.toString('utf8', start, end);
  }

  binary(): Buffer {
    const { start, end } = this.slice();
    return this.bytes.subarray(start, end);
  }

  skip(wire: WireType): void {
    if (wire === 0) this.varint();
    else if (wire === 2) this.slice();
    else this.#skip(wire === 1 ? 8 : 4);
  }

  #skip(length: number): number {
    const start = this.#position;
    if (length > this.#end - start) throw malformed('unexpected EOF');
    this.#position = start + length;
    return start;
  }
}

/** Converts to a signed 64-bit value: a number if that is exact, otherwise a bigint. */
export function signed(value: bigint): number | bigint {
  const result = BigInt.asIntN(64, value);
  return result >= BigInt(Number.MIN_SAFE_INTEGER) && result <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(result)
    : result;
}
