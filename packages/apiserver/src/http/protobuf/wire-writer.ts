const initialBytes = 16 * 1024;
/** Maximum size of the buffer to keep for later objects. A larger one, grown for one large list, is released. */
const keptBytesMax = 1024 * 1024;
/** Below this length, copying character by character is faster than a native call. */
const shortText = 32;

/**
 * Builds the protobuf wire format backwards, because the length prefix of a message is known only after the message is
 * written. Callers write the last field first.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(initialBytes);
  #position = initialBytes;

  /** Number of bytes written so far. Pass it to `close` to mark the end of a message. */
  get mark(): number {
    return this.#bytes.length - this.#position;
  }

  integer(number: number, value: number | bigint): void {
    this.#varint(value);
    this.#tag(number, 0);
  }

  double(number: number, value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#position);
    this.#tag(number, 1);
  }

  bytes(number: number, value: Uint8Array): void {
    this.raw(value);
    this.head(number, value.length);
  }

  string(number: number, value: string): void {
    const before = this.mark;
    if (value.length >= shortText || !this.#shortText(value)) this.#longText(value);
    this.close(number, before);
  }

  /** Closes the field whose message was written since `mark`. */
  close(number: number, mark: number): void {
    this.head(number, this.mark - mark);
  }

  /** Writes tag and length of a field whose bytes are sent separately. */
  head(number: number, length: number): void {
    this.#varint(length);
    this.#tag(number, 2);
  }

  /** Writes bytes that are already encoded. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#position);
  }

  /** Discards the data of a failed encoding. */
  clear(): void {
    this.#position = this.#bytes.length;
  }

  /** Returns a copy of the written bytes and resets the writer. */
  finish(): Buffer {
    const result = Buffer.from(this.#bytes.subarray(this.#position));
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafe(initialBytes);
    this.clear();
    return result;
  }

  #tag(number: number, wire: number): void {
    this.#varint((number << 3) | wire);
  }

  #shortText(value: string): boolean {
    this.#reserve(value.length);
    const bytes = this.#bytes;
    const start = this.#position;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.#position = start + value.length;
        return false;
      }
      bytes[start + index] = code;
    }
    return true;
  }

  #longText(value: string): void {
    const length = Buffer.byteLength(value, 'utf8');
    this.#reserve(length);
    this.#bytes.write(value, this.#position, length, 'utf8');
  }

  #varint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value < 0x80) {
      this.#reserve(1);
      this.#bytes[this.#position] = value;
    } else if (typeof value === 'number' && value >= 0 && value <= 0x7fff_ffff) this.#smallVarint(value);
    else this.#largeVarint(BigInt.asUintN(64, BigInt(value)));
  }

  #smallVarint(value: number): void {
    const size = value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    this.#reserve(size);
    let rest = value;
    let place = this.#position;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[place++] = (rest & 0x7f) | 0x80;
    this.#bytes[place] = rest;
  }

  #largeVarint(value: bigint): void {
    const groups: number[] = [];
    for (let rest = value; groups.length === 0 || rest > 0n; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups[groups.length - 1] = (groups.at(-1) ?? 0) & 0x7f;
    this.raw(Uint8Array.from(groups));
  }

  #reserve(count: number): void {
    if (this.#position < count) this.#grow(count);
    this.#position -= count;
  }

  #grow(count: number): void {
    const used = this.mark;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, used + count));
    this.#bytes.copy(grown, grown.length - used, this.#position);
    this.#position = grown.length - used;
    this.#bytes = grown;
  }
}
