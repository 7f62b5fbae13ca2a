/** Builds the protobuf wire format, growing as needed. */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  #reserve(count: number): number {
    const start = this.#length;
    if (start + count > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, start + count));
      this.#bytes.copy(grown, 0, 0, start);
      this.#bytes = grown;
    }
    this.#length = start + count;
    return start;
  }

  #varint(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    while (rest > 0x7fn) {
      this.#byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.#byte(Number(rest));
  }

  #byte(value: number): void {
    const place = this.#reserve(1);
    this.#bytes[place] = value;
  }

  integer(number: number, value: bigint): void {
    this.#varint(BigInt(number << 3));
    this.#varint(value);
  }

  double(number: number, value: number): void {
    this.#varint(BigInt((number << 3) | 1));
    const start = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, start);
  }

  bytes(number: number, value: Uint8Array): void {
    this.#varint(BigInt((number << 3) | 2));
    this.#varint(BigInt(value.length));
    const start = this.#reserve(value.length);
    this.#bytes.set(value, start);
  }

  string(number: number, value: string): void {
    this.bytes(number, Buffer.from(value, 'utf8'));
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
