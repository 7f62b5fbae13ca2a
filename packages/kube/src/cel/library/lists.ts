import type { Value } from '../values/index.js';
import { ArrayList, CelList, compare, Duration, equal, Failure, OutOfCost, Uint, work } from '../values/index.js';
import { add } from './arithmetic.js';
import type { Implementation, Library, OverloadLine } from './function.js';
import { asInt, asList, runtimeType } from './function.js';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'] as const;
/** Maximum length of a range. No rule can afford it: the cost limit allows only a tenth of this length. */
const RANGE_MAX = 10_000_000n;

function perType(types: readonly string[], line: (type: string) => OverloadLine): readonly OverloadLine[] {
  return types.map(line);
}

const isSorted: Implementation = (list) => {
  let previous: Value | undefined;
  for (const item of asList(list)) {
    if (item instanceof Failure) return item;
    if (previous !== undefined && compare(previous, item) === 1) return false;
    previous = item;
  }
  return true;
};

function sumFrom(zero: Value): Implementation {
  return (list) => {
    let total = zero;
    for (const item of asList(list)) {
      total = add(total, item);
      if (total instanceof Failure) return item instanceof Failure ? item : total;
    }
    return total;
  };
}

function extreme(name: string, replaces: -1 | 1): Implementation {
  return (list) => {
    let best: Value | undefined;
    for (const item of asList(list)) {
      if (item instanceof Failure) return item;
      if (best === undefined || compare(best, item) === replaces) best = item;
    }
    return best ?? new Failure(`${name} called on empty list`);
  };
}

const indexOf: Implementation = (list, element = null) => {
  const items = asList(list);
  for (let index = 0; index < items.size; index += 1)
    if (equal(items.at(index), element) === true) return BigInt(index);
  return -1n;
};

const lastIndexOf: Implementation = (list, element = null) => {
  const items = asList(list);
  for (let index = items.size - 1; index >= 0; index -= 1)
    if (equal(items.at(index), element) === true) return BigInt(index);
  return -1n;
};

const slice: Implementation = (list, start, end) => {
  const items = asList(list);
  const from = asInt(start);
  const to = asInt(end);
  const call = `cannot slice(${from}, ${to}), `;
  if (from < 0n || to < 0n) return new Failure(`${call}negative indexes not supported`);
  if (from > to) return new Failure(`${call}start index must be less than or equal to end index`);
  if (BigInt(items.size) < to) return new Failure(`${call}list is length ${items.size}`);
  return new ArrayList([...items].slice(Number(from), Number(to)));
};

const flatten: Implementation = (list, depth = 1n) => {
  const levels = asInt(depth);
  if (levels < 0n) return new Failure('level must be non-negative');
  const flat: Value[] = [];
  flattenInto(flat, asList(list), levels);
  return new ArrayList(flat);
};

function flattenInto(flat: Value[], list: CelList, depth: bigint): void {
  for (const item of list) {
    work(1);
    if (item instanceof CelList && depth > 0n) flattenInto(flat, item, depth - 1n);
    else flat.push(item);
  }
}

const range: Implementation = (count) => {
  const size = asInt(count);
  if (size > RANGE_MAX) throw new OutOfCost();
  return new ArrayList(Array.from({ length: Math.max(0, Number(size)) }, (_item, index) => BigInt(index)));
};

const reverse: Implementation = (list) => new ArrayList([...asList(list)].reverse());

const distinct: Implementation = (list) => {
  const unique: Value[] = [];
  for (const item of asList(list)) {
    if (!unique.some((known) => equal(item, known) === true)) unique.push(item);
  }
  return new ArrayList(unique);
};

const sort: Implementation = (list) => sortByKeys(list, list);

function sortByKeys(list: Value | undefined, keys: Value | undefined): Value {
  const items = asList(list);
  const order = [...asList(keys)];
  if (items.size !== order.length) {
    return new Failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${items.size} and ${order.length} elements respectively`,
    );
  }
  const first = order[0];
  if (first === undefined) return items;
  if (first instanceof Failure) return first;
  if (compare(first, first) instanceof Failure) return new Failure('list elements must be comparable');
  const kind = runtimeType(first).kind;
  if (order.some((key) => runtimeType(key).kind !== kind)) return new Failure('list elements must have the same type');
  const positions = order.map((_key, index) => index);
  positions.sort((a, b) => orderOf(order[a] ?? null, order[b] ?? null));
  return new ArrayList(positions.map((position) => items.at(position)));
}

function orderOf(a: Value, b: Value): number {
  const order = compare(a, b);
  return typeof order === 'number' ? order : 0;
}

function contains(list: CelList, item: Value): boolean | Failure {
  let failure: Failure | undefined;
  for (let index = 0; index < list.size; index += 1) {
    const same = equal(list.at(index), item);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}

const setContains: Implementation = (list, sublist) => {
  for (const item of asList(sublist)) {
    const found = contains(asList(list), item);
    if (found !== true) return found;
  }
  return true;
};

const setEquivalent: Implementation = (a, b) => {
  const forth = setContains(a ?? null, b ?? null);
  return forth === true ? setContains(b ?? null, a ?? null) : forth;
};

const setIntersects: Implementation = (a, b) => {
  for (const item of asList(a)) if (contains(asList(b), item) === true) return true;
  return false;
};

export const listLibrary: Library = {
  isSorted: perType(COMPARABLE, (type) => [`list_${type}_is_sorted_bool`, `list(${type}).(): bool`, isSorted]),
  sum: [
    ['list_int_sum_int', 'list(int).(): int', sumFrom(0n)],
    ['list_uint_sum_uint', 'list(uint).(): uint', sumFrom(new Uint(0n))],
    ['list_double_sum_double', 'list(double).(): double', sumFrom(0)],
    ['list_duration_sum_duration', 'list(duration).(): duration', sumFrom(new Duration(0n))],
  ],
  min: perType(COMPARABLE, (type) => [`list_${type}_min_${type}`, `list(${type}).(): ${type}`, extreme('min', 1)]),
  max: perType(COMPARABLE, (type) => [`list_${type}_max_${type}`, `list(${type}).(): ${type}`, extreme('max', -1)]),
  indexOf: [['list_a_index_of_int', 'list(A).(A): int', indexOf]],
  lastIndexOf: [['list_a_last_index_of_int', 'list(A).(A): int', lastIndexOf]],
  slice: [['list_slice', 'list(A).(int, int): list(A)', slice]],
  flatten: [
    ['list_flatten', 'list(list(A)).(): list(A)', flatten],
    ['list_flatten_int', 'list(dyn).(int): list(dyn)', flatten],
  ],
  'lists.range': [['lists_range', '(int): list(int)', range]],
  reverse: [['list_reverse', 'list(A).(): list(A)', reverse]],
  distinct: [['list_distinct', 'list(A).(): list(A)', distinct]],
  sort: perType(COMPARABLE, (type) => [`list_${type}_sort`, `list(${type}).(): list(${type})`, sort]),
  '@sortByAssociatedKeys': perType(COMPARABLE, (type) => [
    `list_${type}_sortByAssociatedKeys`,
    `list(A).(list(${type})): list(A)`,
    sortByKeys,
  ]),
  'sets.contains': [['list_sets_contains_list', '(list(A), list(A)): bool', setContains]],
  'sets.equivalent': [['list_sets_equivalent_list', '(list(A), list(A)): bool', setEquivalent]],
  'sets.intersects': [['list_sets_intersects_list', '(list(A), list(A)): bool', setIntersects]],
};
