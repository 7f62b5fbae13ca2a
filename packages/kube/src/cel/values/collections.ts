import type { Value } from './value.js';
import { CelList, CelMap, Uint } from './value.js';

/** A list that an expression created. */
export class ArrayList extends CelList {
  constructor(readonly items: readonly Value[]) {
    super();
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index] ?? null;
  }
}

/**
 * The concatenation of two lists without copying. Appending single elements, as `map` does, must not take quadratic time: the
 * elements are in one growing array, of which each list uses the first `size`.
 */
export class AppendedList extends CelList {
  private constructor(
    private readonly shared: Value[],
    readonly size: number,
  ) {
    super();
  }

  static append(left: CelList, right: CelList): CelList {
    if (right.size === 0) return left;
    if (left.size === 0) return right;
    const canExtend = left instanceof AppendedList && left.shared.length === left.size;
    const shared = canExtend ? left.shared : [...left];
    const size = left.size + right.size;
    // Use indices, because `right` may be a view of the array that grows.
    for (let index = 0; index < right.size; index += 1) shared.push(right.at(index));
    return new AppendedList(shared, size);
  }

  at(index: number): Value {
    return this.shared[index] ?? null;
  }
}

/** Returns the key under which an entry is stored. Equal numbers of the three number types have the same key. */
export function mapKey(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'bigint':
      return `n${key}`;
    case 'boolean':
      return `b${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
    default:
      if (key === null) return 'null';
      return key instanceof Uint ? `n${key.value}` : undefined;
  }
}

/** A map that an expression created, in insertion order. */
export class EntryMap extends CelMap {
  private readonly entries = new Map<string, { readonly key: Value; readonly value: Value }>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const [key, value] of entries) this.entries.set(mapKey(key) ?? '', { key, value });
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: Value): Value | undefined {
    const name = mapKey(key);
    return name === undefined ? undefined : this.entries.get(name)?.value;
  }

  *keys(): Iterable<Value> {
    for (const entry of this.entries.values()) yield entry.key;
  }

  /** Sets an entry. Only the creator of the map may call this and `insert`, before anything else references the map. */
  set(key: Value, value: Value): void {
    this.entries.set(mapKey(key) ?? '', { key, value });
  }

  insert(key: Value, value: Value): boolean {
    const name = mapKey(key);
    if (name === undefined || this.entries.has(name)) return false;
    this.entries.set(name, { key, value });
    return true;
  }
}
