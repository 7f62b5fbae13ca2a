// Readers for untyped objects. A value that is missing or has another type counts as absent.

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object or, if it is absent, a new empty object that is not attached to any parent. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns a list of objects whose types have been validated before. */
export function itemsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** Returns a list of strings whose types have been validated before. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

/** Returns the string, or '' if it is absent. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the number, or 0 if it is absent. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** Returns the value at a path. Ignores inherited properties, because keys may be untrusted. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Fields)[key];
  }
  return found;
}

export function recordAt(value: unknown, ...path: readonly string[]): Readonly<Fields> | undefined {
  const found = valueAt(value, ...path);
  return isFields(found) ? found : undefined;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  return textOf(valueAt(value, ...path));
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the strings of the list at a path. Other items are omitted. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

export function integerAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  if (typeof found === 'bigint') return Number(found);
  return typeof found === 'number' && Number.isInteger(found) ? found : undefined;
}

/** Returns the object under a key and creates it if it is absent. */
export function ensureFields(parent: Fields, key: string): Fields {
  const existing = parent[key];
  if (isFields(existing)) return existing;
  const created: Fields = {};
  parent[key] = created;
  return created;
}

/** Returns the list under a key and creates it if it is absent. */
export function ensureList(parent: Fields, key: string): unknown[] {
  const existing = parent[key];
  if (Array.isArray(existing)) return existing as unknown[];
  const created: unknown[] = [];
  parent[key] = created;
  return created;
}
