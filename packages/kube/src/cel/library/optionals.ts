import type { Value } from '../values/index.js';
import {
  ArrayList,
  CelList,
  CelMap,
  Duration,
  EntryMap,
  Failure,
  Optional,
  plainText,
  Timestamp,
  Uint,
} from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asList } from './function.js';

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Optional) return value.value === undefined;
  // Go's zero time is in the year 1.
  return value instanceof Timestamp && value.nanoseconds === -62_135_596_800_000_000_000n;
}

function valueOf(value: Value | undefined): Value {
  if (!(value instanceof Optional)) throw new TypeError('expected an optional');
  return value.value === undefined ? new Failure('optional.none() dereference') : value.value;
}

const unwrap: Implementation = (list) => {
  const present: Value[] = [];
  for (const item of asList(list)) {
    if (!(item instanceof Optional)) return new Failure(`value ${plainText(item)} is not optional`);
    if (item.value !== undefined) present.push(item.value);
  }
  return new ArrayList(present);
};

/** Placeholder for `or` and `orValue`: the program evaluates them itself and skips the operand that is not needed. */
const evaluatedLazily: Implementation = (optional = null) => optional;

/** A map that a comprehension is building. It is changed in place, because nothing else references it yet. */
class FoldedMap extends EntryMap {}

const insert: Implementation = (map, key = null, value) => {
  const folded = map instanceof FoldedMap ? map : new FoldedMap(entriesOf(map));
  const entries = value === undefined ? entriesOf(key) : [[key, value] as const];
  for (const [name, item] of entries) {
    if (!folded.insert(name, item)) return new Failure(`insert failed: key ${plainText(name)} already exists`);
  }
  return folded;
};

function entriesOf(map: Value | undefined): readonly (readonly [Value, Value])[] {
  if (!(map instanceof CelMap)) throw new TypeError('expected a map');
  return [...map.keys()].map((key) => [key, map.find(key) ?? null] as const);
}

export const optionalLibrary: Library = {
  'optional.of': [['optional_of', '(V): optional(V)', (value = null) => Optional.of(value)]],
  'optional.ofNonZeroValue': [
    [
      'optional_ofNonZeroValue',
      '(V): optional(V)',
      (value = null) => (isZero(value) ? Optional.none : Optional.of(value)),
    ],
  ],
  'optional.none': [['optional_none', '(): optional(V)', () => Optional.none]],
  'optional.unwrap': [['optional_unwrap', '(list(optional(V))): list(V)', unwrap]],
  unwrapOpt: [['optional_unwrapOpt', 'list(optional(V)).(): list(V)', unwrap]],
  value: [['optional_value', 'optional(V).(): V', valueOf]],
  hasValue: [
    ['optional_hasValue', 'optional(V).(): bool', (value) => value instanceof Optional && value.value !== undefined],
  ],
  or: [['optional_or_optional', 'optional(V).(optional(V)): optional(V)', evaluatedLazily]],
  orValue: [['optional_orValue_value', 'optional(V).(V): V', evaluatedLazily]],
  'cel.@mapInsert': [
    ['@mapInsert_map_key_value', '(map(K, V), K, V): map(K, V)', insert],
    ['@mapInsert_map_map', '(map(K, V), map(K, V)): map(K, V)', insert],
  ],
};
