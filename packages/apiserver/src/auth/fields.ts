/** Readers for objects whose schema was checked elsewhere, or was not: whatever has the wrong type counts as absent. */

export function recordAt(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found = (value as Record<string, unknown>)[key];
  return isRecord(found) ? found : undefined;
}

export function textAt(value: unknown, key: string): string {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
  const found = (value as Record<string, unknown>)[key];
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
  const found = (value as Record<string, unknown>)[key];
  return Array.isArray(found) ? found : [];
}

export function textsAt(value: unknown, key: string): readonly string[] {
  return listAt(value, key).filter((item) => typeof item === 'string');
}

export function integerAt(value: unknown, key: string): number | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found = (value as Record<string, unknown>)[key];
  if (typeof found === 'bigint') return Number(found);
  return typeof found === 'number' && Number.isInteger(found) ? found : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
