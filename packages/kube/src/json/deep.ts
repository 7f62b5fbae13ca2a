import type { JsonValue } from './value.js';
import { setKey } from './set-key.js';

/** The opposite of Frozen: the same data, owned and mutable. */
export type Thawed<T> = T extends readonly (infer Item)[]
  ? Thawed<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Thawed<T[Key]> }
    : T;

/**
 * Freezes a JSON value at every level. A value that is already frozen is not traversed: it counts as deep-frozen, because stored
 * objects share subtrees.
 */
export function deepFreeze<T>(value: T): T {
  freeze(value);
  return value;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) freeze(item);
  } else {
    for (const key of Object.keys(value)) freeze((value as Record<string, unknown>)[key]);
  }
  Object.freeze(value);
}

/** Makes a deep, mutable copy of a JSON value. Omits keys whose value is undefined. */
export function cloneJson<T>(value: T): Thawed<T> {
  return clone(value) as Thawed<T>;
}

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) setKey(copy, key, clone(member));
  }
  return copy;
}

/**
 * Compares two JSON values. Key order is not significant, an undefined member equals an absent one, and an integer as
 * number equals the same integer as bigint.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return sameScalar(left, right);
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right);
  return !Array.isArray(right) && sameMembers(left as Members, right as Members);
}

type Members = Record<string, JsonValue | undefined>;

function sameScalar(left: unknown, right: unknown): boolean {
  const mixed =
    (typeof left === 'bigint' && typeof right === 'number') || (typeof left === 'number' && typeof right === 'bigint');
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison of number and bigint is the mathematical one.
  return mixed && left == right; // oxlint-disable-line eqeqeq
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (!deepEqual(left[index], right[index])) return false;
  return true;
}

function sameMembers(left: Members, right: Members): boolean {
  const keys = Object.keys(left);
  let defined = 0;
  for (const key of keys) {
    const member = left[key];
    if (member === undefined) continue;
    defined += 1;
    if (!Object.hasOwn(right, key) || !deepEqual(member, right[key])) return false;
  }
  const rightKeys = Object.keys(right);
  if (rightKeys.length === defined) return true;
  return rightKeys.filter((key) => right[key] !== undefined).length === defined;
}
