import type { JsonValue } from '../json/value.js';

// Upstream's error messages format values with Go's verbs, and users search for these messages.

/** Formats like `%v`: strings unquoted, maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`. */
export function formatGoValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return formatGoNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(formatGoValue).join(' ')}]`;
  const members = sortedMembers(value).map(([key, member]) => `${key}:${formatGoValue(member)}`);
  return `map[${members.join(' ')}]`;
}

/** Formats like `%#v`: the value in Go syntax. */
export function formatGoSource(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'number') return formatGoNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${(value as readonly JsonValue[]).map(formatGoSource).join(', ')}}`;
  const members = sortedMembers(value).map(([key, member]) => `${quoteGo(key)}:${formatGoSource(member)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** Formats the Go type of a decoded value like `%T`. */
export function goTypeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Formats a number like `%v`: integers in full, everything else as a float64. */
export function formatGoNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : formatGoFloat(value);
}

/**
 * Formats a float64 like `%v`: the shortest form, with an exponent from 1e+06 up and below 1e-04. This includes whole values:
 * 10000000 is formatted as 1e+07.
 */
export function formatGoFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return value.toString();
  const digits = Math.abs(exponent).toString().padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

const namedEscapes = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Formats like `%q`: in double quotes, with unprintable characters escaped. */
export function quoteGo(text: string): string {
  return `"${text.replace(escaped, escapeCharacter)}"`;
}

/** Formats a list of strings like `%q`: `["a" "b"]`. */
export function quoteGoList(items: readonly string[]): string {
  return `[${items.map(quoteGo).join(' ')}]`;
}

function escapeCharacter(character: string): string {
  const named = namedEscapes.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  // Go reads a lone surrogate, which has no UTF-8 encoding, as the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x1_0000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Formats messages like Go's aggregate error: a single message unchanged, several in brackets, without duplicates. */
export function aggregateText(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

function sortedMembers(value: object): [string, JsonValue | undefined][] {
  return Object.entries(value as Record<string, JsonValue | undefined>).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
}
