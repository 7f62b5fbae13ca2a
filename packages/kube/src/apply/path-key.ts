import { type JsonObject, type JsonValue, parseJsonValue, stringifyJson } from '../json/index.js';
import { formatGoValue, quoteGo } from '../text/go-format.js';

/**
 * One element of a field path in the format of FieldsV1: `f:<field>`, `k:{"name":"a"}`, `v:<json>`, `i:<index>`. Because of
 * the prefix it never equals a name in Object.prototype, so that it can be a key of a plain object.
 */
export type PathKey = string;

/** The key that marks a node of FieldsV1 as a member. */
export const selfKey = '.';

export function fieldKey(name: string): PathKey {
  return `f:${name}`;
}

export function valueKey(value: JsonValue): PathKey {
  return `v:${canonicalJson(value)}`;
}

/** Returns the path key of a list item. `fields` must be sorted by name. */
export function itemKey(fields: readonly (readonly [name: string, value: JsonValue])[]): PathKey {
  let text = 'k:{';
  for (const [name, value] of fields) {
    text += `${text.length === 3 ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

const escapedByGo = /[<>&\u2028\u2029]|\\[bf]/g;
const mayNeedEscape = /[<>&\b\f\u2028\u2029]/;

/** Encodes JSON like Go, with `<`, `>` and `&` escaped, so that keys of entries written by other servers match. */
function canonicalJson(value: JsonValue): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : stringifyJson(value);
  if (typeof value === 'string' && !mayNeedEscape.test(value)) return text;
  return text.replace(escapedByGo, (match) => {
    if (match === '\\b') return '\\u0008';
    if (match === '\\f') return '\\u000c';
    return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export type PathElement =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'item'; readonly fields: readonly (readonly [name: string, value: JsonValue])[] }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'index'; readonly index: number };

/**
 * Parsed path keys. Sorting parses the keys of list items repeatedly; there are few distinct keys, and the size of the cache is
 * limited.
 */
const parsedKeys = new Map<PathKey, PathElement>();
const parsedKeysMax = 4_096;

/** Parses a path key. Returns undefined for an unknown element type. Throws SyntaxError or JsonError for a malformed key. */
export function parsePathKey(key: PathKey): PathElement | undefined {
  const cached = parsedKeys.get(key);
  if (cached !== undefined) return cached;
  const element = parseSimple(key) ?? parseFresh(key);
  if (element !== undefined && element.kind !== 'field') {
    if (parsedKeys.size >= parsedKeysMax) parsedKeys.clear();
    parsedKeys.set(key, element);
  }
  return element;
}

/** Fast path: nearly all keys of list items consist of one string without escapes. */
const simpleItem = /^k:\{"([^"\\]*)":"([^"\\]*)"\}$/;
const simpleValue = /^v:"([^"\\]*)"$/;

function parseSimple(key: PathKey): PathElement | undefined {
  const item = simpleItem.exec(key);
  if (item !== null) return { kind: 'item', fields: [[item[1] as string, item[2] as string]] };
  const value = simpleValue.exec(key);
  return value === null ? undefined : { kind: 'value', value: value[1] as string };
}

function parseFresh(key: PathKey): PathElement | undefined {
  if (key.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (key[1] !== ':') throw new SyntaxError(`missing colon: ${key}`);
  const content = key.slice(2);
  switch (key[0]) {
    case 'f':
      return { kind: 'field', name: content };
    case 'v':
      return { kind: 'value', value: parseJsonValue(content) };
    case 'k':
      return { kind: 'item', fields: parseItemFields(content) };
    case 'i':
      if (!/^[+-]?\d{1,18}$/.test(content)) throw new SyntaxError(`invalid index: ${content}`);
      return { kind: 'index', index: Number(content) };
    default:
      return undefined;
  }
}

function parseItemFields(content: string): [string, JsonValue][] {
  const parsed = parseJsonValue(content);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError(`not an object: ${content}`);
  const fields = Object.entries(parsed as JsonObject) as [string, JsonValue][];
  return fields.sort(([left], [right]) => compareText(left, right));
}

/** Formats the key in its canonical form. */
export function formatPathKey(element: PathElement): PathKey {
  switch (element.kind) {
    case 'field':
      return fieldKey(element.name);
    case 'item':
      return itemKey(element.fields);
    case 'value':
      return valueKey(element.value);
    case 'index':
      return `i:${element.index}`;
  }
}

/** Formats a path key as in conflict messages: `.spec`, `[name="a"]`, `[="x"]`, `[3]`. */
export function formatPathElement(key: PathKey): string {
  if (key.startsWith('f:')) return `.${key.slice(2)}`;
  const element = parsePathKey(key);
  switch (element?.kind) {
    case 'item':
      return `[${element.fields.map(([name, value]) => `${name}=${formatValue(value)}`).join(',')}]`;
    case 'value':
      return `[=${formatValue(element.value)}]`;
    case 'index':
      return `[${element.index}]`;
    default:
      return '{{invalid path element}}';
  }
}

function formatValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(formatValue).join(',')}]`;
  if (typeof value !== 'object') return formatGoValue(value);
  return Object.entries(value as Record<string, JsonValue>)
    .map(([name, member]) => `${name}=${formatValue(member)}`)
    .join('');
}

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

/** Compares path keys in the order of FieldsV1: the node itself, fields, items by key, set members by value, indices. */
export function comparePathKeys(left: PathKey, right: PathKey): number {
  if (left === right) return 0;
  const kind = left.charAt(0);
  const rank = (ranks[kind] ?? 5) - (ranks[right.charAt(0)] ?? 5);
  if (rank !== 0) return rank;
  if (kind === 'f') return compareText(left, right);
  return compareElements(parsePathKey(left), parsePathKey(right));
}

function compareElements(left: PathElement | undefined, right: PathElement | undefined): number {
  if (left?.kind === 'value' && right?.kind === 'value') return compareValues(left.value, right.value);
  if (left?.kind === 'index' && right?.kind === 'index') return left.index - right.index;
  if (left?.kind === 'item' && right?.kind === 'item') return compareItems(left.fields, right.fields);
  return 0;
}

type ItemFields = Extract<PathElement, { kind: 'item' }>['fields'];

function compareItems(left: ItemFields, right: ItemFields): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares values like upstream: numbers before strings before booleans before other types. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const rank = valueRank(left) - valueRank(right);
  if (rank !== 0) return rank;
  if (typeof left === 'string') return compareText(left, right as string);
  if (typeof left === 'object') return compareText(stringifyJson(left), stringifyJson(right));
  if (left === right) return 0;
  return (left as number) < (right as number) ? -1 : 1;
}

function valueRank(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return value === null ? 5 : Array.isArray(value) ? 3 : 4;
}

/** Compares by code point, like Go's comparison of UTF-8 bytes. UTF-16 order differs only for surrogates. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return codePointRank(leftUnit) - codePointRank(rightUnit);
  }
  return left.length - right.length;
}

/**
 * Returns the rank of a UTF-16 code unit. Surrogates encode code points above U+FFFF, so they sort after all other code units.
 */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
