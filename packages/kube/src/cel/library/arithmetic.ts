import type { Value } from '../values/index.js';
import {
  AppendedList,
  CelList,
  Duration,
  durationOf,
  Failure,
  fitsInt64,
  JsonList,
  noSuchOverload,
  Timestamp,
  timestampOf,
  Uint,
} from '../values/index.js';

const UINT64_MAX = 2n ** 64n - 1n;
/** Maximum length of a concatenated string, far above the size of a request. Prevents `a + a + a` from allocating gigabytes. */
export const TEXT_LENGTH_MAX = 64 * 1024 * 1024;

export function intOf(value: bigint): bigint | Failure {
  return fitsInt64(value) ? value : new Failure('integer overflow');
}

export function uintOf(value: bigint): Uint | Failure {
  return value >= 0n && value <= UINT64_MAX ? new Uint(value) : new Failure('unsigned integer overflow');
}

type Integers = (a: bigint, b: bigint) => bigint | Failure;

/** Returns the arithmetic overloads of an integer type. Both integer types have the same arithmetic and differ only in range. */
function numeric(
  a: Value,
  b: Value,
  doubles: ((a: number, b: number) => number) | undefined,
  integers: Integers,
): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return ranged(integers(a, b), intOf);
  if (a instanceof Uint && b instanceof Uint) return ranged(integers(a.value, b.value), uintOf);
  if (typeof a === 'number' && typeof b === 'number' && doubles !== undefined) return doubles(a, b);
  return noSuchOverload();
}

function ranged(result: bigint | Failure, range: (value: bigint) => Value): Value {
  return result instanceof Failure ? result : range(result);
}

export function add(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') return joined(a, b);
  if (a instanceof CelList && b instanceof CelList) return concatenated(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return new Uint8Array(Buffer.concat([a, b]));
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanoseconds + b.nanoseconds);
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanoseconds + b.nanoseconds);
  if (a instanceof Duration && b instanceof Timestamp) return timestampOf(a.nanoseconds + b.nanoseconds);
  return numeric(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

function joined(a: string, b: string): Value {
  return a.length + b.length > TEXT_LENGTH_MAX ? new Failure('string too long') : a + b;
}

function concatenated(a: CelList, b: CelList): CelList {
  if (a instanceof JsonList && b instanceof JsonList && a.isTyped) return a.merge(b);
  return AppendedList.append(a, b);
}

export function subtract(a: Value, b: Value): Value {
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanoseconds - b.nanoseconds);
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanoseconds - b.nanoseconds);
  if (a instanceof Timestamp && b instanceof Timestamp) return durationOf(a.nanoseconds - b.nanoseconds);
  return numeric(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );
}

export function multiply(a: Value, b: Value): Value {
  return numeric(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );
}

export function divide(a: Value, b: Value): Value {
  return numeric(
    a,
    b,
    (x, y) => x / y,
    (x, y) => (y === 0n ? new Failure('division by zero') : x / y),
  );
}

export function modulo(a: Value, b: Value): Value {
  return numeric(a, b, undefined, (x, y) => (y === 0n ? new Failure('modulus by zero') : remainder(x, y)));
}

/** Returns the remainder. Like upstream, rejects the smallest integer modulo -1, because the quotient would overflow. */
function remainder(x: bigint, y: bigint): bigint | Failure {
  return y === -1n && !fitsInt64(-x) ? new Failure('integer overflow') : x % y;
}

export function negate(a: Value): Value {
  if (typeof a === 'bigint') return intOf(-a);
  return typeof a === 'number' ? -a : noSuchOverload();
}
