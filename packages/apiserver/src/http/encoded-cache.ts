/** Caches encodings of objects up to a total size. Evicts in insertion order. */
export class EncodedCache<Value> {
  readonly #values = new Map<object, { readonly value: Value; readonly size: number }>();
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(key: object): Value | undefined {
    return this.#values.get(key)?.value;
  }

  set(key: object, value: Value, size: number): void {
    if (size > this.bytesMax || this.#values.has(key)) return;
    this.#values.set(key, { value, size });
    this.#bytes += size;
    for (const [oldest, entry] of this.#values) {
      if (this.#bytes <= this.bytesMax) return;
      this.#values.delete(oldest);
      this.#bytes -= entry.size;
    }
  }
}
