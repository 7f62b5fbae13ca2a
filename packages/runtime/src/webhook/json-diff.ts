import { deepEqual, type JsonObject, type JsonValue } from '@slipway/kube';

export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/** Returns the JSON patch between two values. Lists of different length are replaced as a whole. */
export function jsonDiff(from: JsonValue, to: JsonValue): DiffOperation[] {
  const operations: DiffOperation[] = [];
  compare(from, to, '', operations);
  return operations;
}

function compare(from: JsonValue, to: JsonValue, path: string, operations: DiffOperation[]): void {
  if (deepEqual(from, to)) return;
  if (isObject(from) && isObject(to)) compareMembers(from, to, path, operations);
  else if (isList(from) && isList(to) && from.length === to.length)
    for (const [index, item] of to.entries()) compare(from[index] ?? null, item, `${path}/${index}`, operations);
  else operations.push({ op: 'replace', path, value: to });
}

function compareMembers(from: JsonObject, to: JsonObject, path: string, operations: DiffOperation[]): void {
  for (const key of Object.keys(from))
    if (from[key] !== undefined && memberOf(to, key) === undefined)
      operations.push({ op: 'remove', path: `${path}/${escape(key)}` });
  for (const key of Object.keys(to)) {
    const [was, is] = [memberOf(from, key), to[key]];
    if (is === undefined) continue;
    if (was === undefined) operations.push({ op: 'add', path: `${path}/${escape(key)}`, value: is });
    else compare(was, is, `${path}/${escape(key)}`, operations);
  }
}

function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
