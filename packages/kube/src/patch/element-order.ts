import { getKey } from '../json/set-key.js';
import type { JsonObject, JsonValue, MutableJson } from '../json/value.js';

/**
 * Returns the identity of a list element: the value of its merge key for objects, the value itself for scalars. It is a string,
 * so that lists are compared in linear time.
 */
export function identityOf(element: JsonValue, mergeKey: string): string | undefined {
  const value = mergeKey === '' ? element : isObject(element) ? getKey(element, mergeKey) : undefined;
  if (value === undefined) return undefined;
  return typeof value === 'object' && value !== null ? undefined : `${kindOf(value)}:${String(value)}`;
}

/** Returns the index of each element, by identity. Of duplicates, the first one counts. */
export function positionsOf(elements: readonly JsonValue[], mergeKey: string): Map<string, number> {
  const positions = new Map<string, number>();
  elements.forEach((element, index) => {
    const identity = identityOf(element, mergeKey);
    if (identity !== undefined && !positions.has(identity)) positions.set(identity, index);
  });
  return positions;
}

/**
 * Sorts a merged list: elements of the patch in the order of the patch, and the others in the live order. The two are interleaved
 * by the live order of elements that are in both.
 */
export function orderElements(
  merged: readonly MutableJson[],
  patchOrder: readonly JsonValue[],
  liveOrder: readonly JsonValue[],
  mergeKey: string,
): MutableJson[] {
  const inPatch = positionsOf(patchOrder, mergeKey);
  const inLive = positionsOf(liveOrder, mergeKey);
  const place = (positions: Map<string, number>, element: MutableJson): number | undefined =>
    positions.get(identityOf(element, mergeKey) ?? '');
  const named = merged.filter((element) => place(inPatch, element) !== undefined);
  const others = merged.filter((element) => place(inPatch, element) === undefined);
  sortBy(named, (element) => place(inPatch, element));
  sortBy(others, (element) => place(inLive, element));
  return interleave(others, named, (element) => place(inLive, element));
}

function sortBy(elements: MutableJson[], placeOf: (element: MutableJson) => number | undefined): void {
  elements.sort((left, right) => (placeOf(left) ?? 0) - (placeOf(right) ?? 0));
}

function interleave(
  others: readonly MutableJson[],
  named: readonly MutableJson[],
  placeOf: (element: MutableJson) => number | undefined,
): MutableJson[] {
  const result: MutableJson[] = [];
  let next = 0;
  for (const element of named) {
    const limit = placeOf(element);
    while (next < others.length && limit !== undefined && isBefore(placeOf(others[next] ?? null), limit)) {
      result.push(others[next] ?? null);
      next += 1;
    }
    result.push(element);
  }
  result.push(...others.slice(next));
  return result;
}

function isBefore(place: number | undefined, limit: number): boolean {
  return place !== undefined && place < limit;
}

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
