import type { Value } from '../values/index.js';
import { ArrayList, codePointCount, Failure, plainText } from '../values/index.js';
import { TEXT_LENGTH_MAX } from './arithmetic.js';
import { formatText } from './string-format.js';
import type { Implementation, Library } from './function.js';
import { asInt, asList, asText } from './function.js';

/**
 * Returns the characters of a text by code point, which is what indices count. A text without code points above U+FFFF is
 * returned unsplit.
 */
function characters(text: string): readonly string[] | string {
  return codePointCount(text) === text.length ? text : Array.from(text);
}

function sliceOf(text: string | readonly string[], start: number, end?: number): string {
  return typeof text === 'string' ? text.slice(start, end) : text.slice(start, end).join('');
}

function outOfRange(index: bigint): Failure {
  return new Failure(`index out of range: ${index}`);
}

const charAt: Implementation = (text, index) => {
  const all = characters(asText(text));
  const position = asInt(index);
  if (position < 0n || position > BigInt(all.length)) return outOfRange(position);
  return all[Number(position)] ?? '';
};

const indexOf: Implementation = (text, part, offset = 0n) => {
  const from = asInt(offset);
  if (asText(part) === '') return from;
  if (from < 0n) return outOfRange(from);
  const all = asText(text);
  const isPlain = codePointCount(all) === all.length;
  const start = isPlain ? Number(from) : Array.from(all).slice(0, Number(from)).join('').length;
  const found = start >= all.length ? -1 : all.indexOf(asText(part), start);
  return BigInt(found < 0 || isPlain ? found : codePointCount(all.slice(0, found)));
};

const lastIndexOf: Implementation = (text, part, offset) => {
  const all = asText(text);
  const size = codePointCount(all);
  const search = asText(part);
  if (search === '') return offset ?? BigInt(size);
  if (offset === undefined && size === 0) return -1n;
  const from = offset === undefined ? BigInt(size - 1) : asInt(offset);
  if (from < 0n) return outOfRange(from);
  if (from >= BigInt(size)) return -1n;
  const isPlain = size === all.length;
  const start = isPlain ? Number(from) : Array.from(all).slice(0, Number(from)).join('').length;
  const found = all.lastIndexOf(search, start);
  return BigInt(found < 0 || isPlain ? found : codePointCount(all.slice(0, found)));
};

const substring: Implementation = (text, start, end) => {
  const all = characters(asText(text));
  const from = asInt(start);
  const to = end === undefined ? BigInt(all.length) : asInt(end);
  if (end !== undefined && from > to) return new Failure(`invalid substring range. start: ${from}, end: ${to}`);
  if (from < 0n || from > BigInt(all.length)) return outOfRange(from);
  if (to < 0n || to > BigInt(all.length)) return outOfRange(to);
  return sliceOf(all, Number(from), Number(to));
};

const replace: Implementation = (text, old, replacement, limit = -1n) => {
  const all = asText(text);
  const search = asText(old);
  const substitute = asText(replacement);
  const count = asInt(limit) < 0n ? Number.POSITIVE_INFINITY : Number(asInt(limit));
  const pieces = piecesBetween(all, search);
  const used = Math.min(count, pieces.length - 1);
  if (all.length + used * substitute.length > TEXT_LENGTH_MAX) return new Failure('string too long');
  return pieces.reduce((result, piece, index) => result + (index <= used ? substitute : search) + piece);
};

/** Splits a text at a search string. An empty search string matches before each character and at the end. */
function piecesBetween(all: string, search: string): readonly string[] {
  return search === '' ? ['', ...Array.from(all), ''] : all.split(search);
}

const split: Implementation = (text, separator, limit = -1n) => {
  const all = asText(text);
  const count = asInt(limit);
  if (count === 0n) return new ArrayList([]);
  const mark = asText(separator);
  const pieces = mark === '' ? Array.from(all) : all.split(mark);
  if (count < 0n || BigInt(pieces.length) <= count) return new ArrayList(pieces);
  const kept = pieces.slice(0, Number(count) - 1);
  return new ArrayList([...kept, pieces.slice(Number(count) - 1).join(mark)]);
};

const join: Implementation = (list, separator = '') => {
  const texts: string[] = [];
  let length = 0;
  for (const item of asList(list)) {
    if (typeof item !== 'string')
      return item instanceof Failure ? item : new Failure(`join: invalid input: ${plainText(item)}`);
    length += item.length + asText(separator).length;
    if (length > TEXT_LENGTH_MAX) return new Failure('string too long');
    texts.push(item);
  }
  return texts.join(asText(separator));
};

const QUOTED: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** Replaces lone surrogates with the replacement character. */
function wellFormed(character: string): string {
  return /^[\ud800-\udfff]$/.test(character) ? '\ufffd' : character;
}

const quote: Implementation = (text) => {
  const escaped = Array.from(asText(text), (character) => QUOTED.get(character) ?? wellFormed(character)).join('');
  return `"${escaped}"`;
};

const lowerAscii: Implementation = (text) => asText(text).replace(/[A-Z]+/g, (found) => found.toLowerCase());
const upperAscii: Implementation = (text) => asText(text).replace(/[a-z]+/g, (found) => found.toUpperCase());
/** Go's white space, which includes U+0085 and excludes U+FEFF. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Implements `trim` by hand: a regular expression for trailing spaces would retry at every run of spaces. */
const trim: Implementation = (value) => {
  const text = asText(value);
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const format: Implementation = (text, args): Value => formatText(asText(text), asList(args));

export const stringLibrary: Library = {
  charAt: [['string_char_at_int', 'string.(int): string', charAt]],
  indexOf: [
    ['string_index_of_string', 'string.(string): int', indexOf],
    ['string_index_of_string_int', 'string.(string, int): int', indexOf],
  ],
  lastIndexOf: [
    ['string_last_index_of_string', 'string.(string): int', lastIndexOf],
    ['string_last_index_of_string_int', 'string.(string, int): int', lastIndexOf],
  ],
  lowerAscii: [['string_lower_ascii', 'string.(): string', lowerAscii]],
  upperAscii: [['string_upper_ascii', 'string.(): string', upperAscii]],
  replace: [
    ['string_replace_string_string', 'string.(string, string): string', replace],
    ['string_replace_string_string_int', 'string.(string, string, int): string', replace],
  ],
  split: [
    ['string_split_string', 'string.(string): list(string)', split],
    ['string_split_string_int', 'string.(string, int): list(string)', split],
  ],
  substring: [
    ['string_substring_int', 'string.(int): string', substring],
    ['string_substring_int_int', 'string.(int, int): string', substring],
  ],
  trim: [['string_trim', 'string.(): string', trim]],
  format: [['string_format', 'string.(list(dyn)): string', format]],
  'strings.quote': [['strings_quote', '(string): string', quote]],
  join: [
    ['list_join', 'list(string).(): string', join],
    ['list_join_string', 'list(string).(string): string', join],
  ],
};
