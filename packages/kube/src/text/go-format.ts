import type { JsonValue } from '../json/index.js';

// Error texts of typed apply print values with Go's verbs, and people search for these texts.

/** `%v`: strings bare, maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`. */
export function formatPlain(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(formatPlain).join(' ')}]`;
  const members = sortedMembers(value).map(([key, member]) => `${key}:${formatPlain(member)}`);
  return `map[${members.join(' ')}]`;
}

/** `%#v`: the value as Go source. */
export function formatSource(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${(value as readonly JsonValue[]).map(formatSource).join(', ')}}`;
  const members = sortedMembers(value).map(([key, member]) => `${quoteText(key)}:${formatSource(member)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** `%T` of a decoded value. */
export function formatTypeName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
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
const unprintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** `%q`: quoted, with everything unprintable escaped. */
export function quoteText(text: string): string {
  return `"${text.replace(unprintable, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const named = namedEscapes.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x1_0000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

function formatFloat(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -5 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function sortedMembers(value: object): [string, JsonValue | undefined][] {
  return Object.entries(value as Record<string, JsonValue | undefined>).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
}
