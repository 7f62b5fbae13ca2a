import { Uint8ArrayEqual } from './bytes.js';
import { JsonList, JsonMap } from './json-values.js';
import type { Value } from './value.js';
import { CelList, CelMap, Duration, Failure, Opaque, Optional, Timestamp, TypeValue, Uint } from './value.js';
import { work } from './work.js';

/**
 * Implements `==`. Values of different types are unequal, numbers are compared across their three types, and lists of type `set`
 * and `map` are compared without regard to order. A Failure in either operand is returned.
 */
export function equal(a: Value, b: Value): boolean | Failure {
  work(1);
  if (a instanceof Failure) return a;
  if (b instanceof Failure) return b;
  if (a === null || b === null) return a === b;
  if (typeof a === 'string' || typeof a === 'boolean') return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (a instanceof CelList) return equalLists(a, b);
  if (a instanceof CelMap) return equalMaps(a, b);
  return equalOther(a, b);
}

function equalOther(a: Value, b: Value): boolean | Failure {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Uint8ArrayEqual(a, b);
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanoseconds === b.nanoseconds;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  if (a instanceof Opaque) return b instanceof Opaque ? a.equals(b) : new Failure('no such overload');
  return false;
}

function equalOptionals(a: Optional, b: Optional): boolean | Failure {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

function equalLists(a: CelList, b: Value): boolean | Failure {
  // A list with a schema can only be compared with a list: the checker accepts nothing else.
  if (!(b instanceof CelList)) return a instanceof JsonList && a.isTyped ? new Failure('no such overload') : false;
  if (a.size !== b.size) return false;
  if (a instanceof JsonList && a.isUnordered) return a.equalsUnordered(b, equal);
  for (let index = 0; index < a.size; index += 1) {
    const same = equal(a.at(index), b.at(index));
    if (same !== true) return same;
  }
  return true;
}

function equalMaps(a: CelMap, b: Value): boolean | Failure {
  const isTyped = a instanceof JsonMap && a.isTyped;
  if (!(b instanceof CelMap)) return isTyped ? new Failure('no such overload') : false;
  if (a.size !== b.size) return false;
  if (isTyped) return a.equalsTyped(b, equal);
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined) return false;
    const same = equal(a.find(key) ?? null, other);
    if (same !== true) return same;
  }
  return true;
}

type Numeric = bigint | number | Uint;

function isNumber(value: Value): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/**
 * Compares two numbers. Returns -1, 0 or 1, or undefined for NaN. An integer that is compared with a double is converted to a
 * double.
 */
function compareNumbers(a: Numeric, b: Numeric): -1 | 0 | 1 | undefined {
  const hasDouble = typeof a === 'number' || typeof b === 'number';
  const exactLeft = a instanceof Uint ? a.value : a;
  const exactRight = b instanceof Uint ? b.value : b;
  const left = hasDouble ? Number(exactLeft) : exactLeft;
  const right = hasDouble ? Number(exactRight) : exactRight;
  if (left < right) return -1;
  if (left > right) return 1;
  return left === right ? 0 : undefined;
}

/** Compares two values of one type. Returns a Failure for types without an order. */
export function compare(a: Value, b: Value): -1 | 0 | 1 | undefined | Failure {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign(Number(a) - Number(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sign(Buffer.compare(a, b));
  const sameTime =
    (a instanceof Duration && b instanceof Duration) || (a instanceof Timestamp && b instanceof Timestamp);
  if (sameTime) return compareNumbers(a.nanoseconds, b.nanoseconds);
  return new Failure('no such overload');
}

function sign(difference: number): -1 | 0 | 1 {
  if (difference === 0) return 0;
  return difference < 0 ? -1 : 1;
}

/** Compares by code point, which is the order of UTF-8 bytes. JavaScript's order differs above U+FFFF. */
function compareText(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  let index = 0;
  while (index < a.length && index < b.length && a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  if (index === a.length || index === b.length) return sign(a.length - b.length);
  const left = a.charCodeAt(index);
  const right = b.charCodeAt(index);
  const leftHigh = left >= 0xd800 && left <= 0xdfff;
  const rightHigh = right >= 0xd800 && right <= 0xdfff;
  return leftHigh === rightHigh ? sign(left - right) : leftHigh ? 1 : -1;
}
