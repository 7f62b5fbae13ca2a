/** A message of the KMS API: bytes, strings, maps of bytes, and integers, by field number. */
export type WireValue = Buffer | string | number | ReadonlyMap<string, Buffer>;

/** Encodes a message in the protobuf wire format. Empty values are left out, as proto3 does. */
export function encodeMessage(fields: readonly (readonly [number: number, value: WireValue])[]): Buffer {
  return Buffer.concat(fields.flatMap(([number, value]) => encodeField(number, value)));
}

function encodeField(number: number, value: WireValue): Buffer[] {
  if (typeof value === 'number') return value === 0 ? [] : [varint(number << 3), varint(value)];
  if (value instanceof Map)
    return [...(value as ReadonlyMap<string, Buffer>)]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([key, item]) =>
        lengthDelimited(
          number,
          encodeMessage([
            [1, key],
            [2, item],
          ]),
        ),
      );
  const bytes = typeof value === 'string' ? Buffer.from(value) : (value as Buffer);
  return bytes.length === 0 ? [] : lengthDelimited(number, bytes);
}

function lengthDelimited(number: number, bytes: Buffer): Buffer[] {
  return [varint((number << 3) | 2), varint(bytes.length), bytes];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** The fields of a decoded message. Unknown fields are ignored; a repeated scalar has its last value. */
export class WireMessage {
  readonly #bytes = new Map<number, Buffer[]>();
  readonly #integers = new Map<number, number>();

  /** Throws if the data is malformed. */
  constructor(data: Buffer) {
    const reader = new Reader(data);
    while (!reader.done) {
      const tag = reader.varint();
      const [number, wire] = [Math.floor(tag / 8), tag % 8];
      if (wire === 0) this.#integers.set(number, reader.varint());
      else if (wire === 2) this.#bytes.set(number, [...(this.#bytes.get(number) ?? []), reader.take(reader.varint())]);
      else if (wire === 1 || wire === 5) reader.take(wire === 1 ? 8 : 4);
      else throw new Error(`malformed message: wire type ${wire}`);
    }
  }

  bytes(number: number): Buffer {
    return this.#bytes.get(number)?.at(-1) ?? Buffer.alloc(0);
  }

  text(number: number): string {
    return this.bytes(number).toString('utf8');
  }

  integer(number: number): number {
    return this.#integers.get(number) ?? 0;
  }

  map(number: number): ReadonlyMap<string, Buffer> {
    return new Map(
      (this.#bytes.get(number) ?? []).map((entry) => {
        const message = new WireMessage(entry);
        return [message.text(1), message.bytes(2)];
      }),
    );
  }
}

class Reader {
  #at = 0;

  constructor(private readonly data: Buffer) {}

  get done(): boolean {
    return this.#at >= this.data.length;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 128) {
      const byte = this.take(1)[0] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new Error('malformed message: integer overflow');
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.data.length) throw new Error('malformed message: unexpected end');
    const bytes = this.data.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
