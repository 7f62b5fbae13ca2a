/** An object whose shape has been checked when it was written. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at hand; an empty one, not attached to anything, when there is none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function itemsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The list under a key, created when absent. */
export function listAt(parent: Fields, key: string): unknown[] {
  const existing = parent[key];
  if (Array.isArray(existing)) return existing as unknown[];
  const created: unknown[] = [];
  parent[key] = created;
  return created;
}

/** The object under a key, created when absent. */
export function fieldsAt(parent: Fields, key: string): Fields {
  const existing = parent[key];
  if (isFields(existing)) return existing;
  const created: Fields = {};
  parent[key] = created;
  return created;
}
