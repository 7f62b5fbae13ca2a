/** A map that keeps the most recently set entries. */
export class BoundedMap {
  readonly #entries = new Map<string, string>();

  constructor(private readonly sizeMax: number) {}

  set(key: string, value: string): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.sizeMax) return;
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  get(key: string): string | undefined {
    return this.#entries.get(key);
  }
}
