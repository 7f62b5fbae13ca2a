import type { CelType } from '../types/index.js';

/**
 * A run-time value: int is bigint, double is number, others are JavaScript values or one of the classes below. Data from
 * objects is wrapped lazily.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | CelList
  | CelMap
  | Optional
  | TypeValue
  | Opaque
  | Failure;

/** An error as a value: `false && 1/0 > 0` ignores it, and strict functions return it. */
export class Failure {
  constructor(readonly message: string) {}
}

export function noSuchOverload(): Failure {
  return new Failure('no such overload');
}

export function noSuchKey(key: Value): Failure {
  return new Failure(`no such key: ${plainText(key)}`);
}

export class Uint {
  constructor(readonly value: bigint) {}
}

/** A duration in nanoseconds, always within 64 bits. */
export class Duration {
  constructor(readonly nanoseconds: bigint) {}
}

/** A time in nanoseconds since 1970, within the years 1 to 9999. */
export class Timestamp {
  constructor(readonly nanoseconds: bigint) {}
}

export class Optional {
  private constructor(readonly value: Value | undefined) {}

  static readonly none = new Optional(undefined);

  static of(value: Value): Optional {
    return new Optional(value);
  }
}

export class TypeValue {
  constructor(readonly type: CelType) {}
}

/** A value of a library type such as URL or Quantity, with its own equality and functions but no fields. */
export abstract class Opaque {
  abstract readonly type: CelType;
  abstract equals(other: Opaque): boolean | Failure;
  /** The size that determines the cost of accessing the value. Undefined counts as 1. */
  get costSize(): number | undefined {
    return undefined;
  }
}

export abstract class CelList {
  abstract readonly size: number;
  abstract at(index: number): Value;

  *[Symbol.iterator](): Generator<Value> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }
}

export abstract class CelMap {
  abstract readonly size: number;
  /** Returns the value under the key, or undefined if there is none. */
  abstract find(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;
}

export function plainText(value: Value): string {
  if (value instanceof Uint) return value.value.toString();
  if (typeof value === 'number') return formatDouble(value);
  return typeof value === 'object' && value !== null ? value.constructor.name : String(value);
}

/** Formats doubles like Go's %v: with an exponent from 1e21 up and below 1e-4. */
function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (Object.is(value, -0)) return '-0';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}
