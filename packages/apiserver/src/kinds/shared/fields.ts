/** An object below the metadata. Typed decoding has checked its shape against the built-in type. */
export type Fields = Record<string, unknown>;

/** The object at hand; an empty one, not attached to anything, when there is none. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function has(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** 0 when absent. */
export function number(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** The object under a key, created when absent. */
export function child(parent: Fields, key: string): Fields {
  const existing = parent[key];
  if (has(existing)) return existing;
  const created: Fields = {};
  parent[key] = created;
  return created;
}

/** Sets what is absent. */
export function fill(target: Fields, defaults: Fields): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (target[key] === undefined) target[key] = value;
  }
}

/** Sets what differs. Parts that the request shares with the stored object are frozen, and are right already. */
export function set(target: Fields, key: string, value: unknown): void {
  if (target[key] !== value) target[key] = value;
}

/** Sets a key to a value, or removes it when the value is undefined. */
export function put(target: Fields, key: string, value: unknown): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}

/** Go prints maps sorted by key. */
export function sortedKeys(value: unknown): string[] {
  return Object.keys(fields(value)).sort();
}
