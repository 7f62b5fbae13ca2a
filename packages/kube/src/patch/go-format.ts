import type { JsonValue } from '../json/value.js';

const lengthMax = 1_000;

/** A decoded JSON value as Go's `%v` prints it: upstream puts whole objects into some error texts. */
export function formatGoValue(value: JsonValue | undefined): string {
  const text = format(value);
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}

function format(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(format).join(' ')}]`;
  const members = Object.entries(value as { [key: string]: JsonValue }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return `map[${members.map(([key, member]) => `${key}:${format(member)}`).join(' ')}]`;
}

/** The Go type that upstream decodes such a value into. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}
