import type { TypeKind } from '../types/index.js';
import type { Value } from '../values/index.js';
import {
  CelList,
  CelMap,
  Duration,
  Failure,
  formatDurationSeconds,
  formatTimestamp,
  Timestamp,
  Uint,
} from '../values/index.js';
import { toText } from './conversions.js';
import { runtimeType } from './function.js';

/** A part of a format string: literal text, or a clause that consumes the next argument. */
export type Piece = { readonly text: string } | { readonly clause: string; readonly precision: number };

const PRECISION_DEFAULT = 6;
/** Maximum precision of a clause. Go has no limit; this one limits the length of the result. */
const PRECISION_MAX = 100;

interface Clause {
  readonly kinds: readonly TypeKind[];
  readonly typeError: string;
}

const STRING_KINDS: readonly TypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

/** The argument types of each clause, for the compile-time check and for formatting. */
export const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  [
    's',
    {
      kinds: STRING_KINDS,
      typeError:
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given',
    },
  ],
  ['d', { kinds: ['int', 'uint'], typeError: 'decimal clause can only be used on integers, was given' }],
  ['f', { kinds: ['double', 'string'], typeError: 'fixed-point clause can only be used on doubles, was given' }],
  ['e', { kinds: ['double', 'string'], typeError: 'scientific clause can only be used on doubles, was given' }],
  ['b', { kinds: ['int', 'uint', 'bool'], typeError: 'only integers and bools can be formatted as binary, was given' }],
  [
    'x',
    {
      kinds: ['int', 'uint', 'string', 'bytes'],
      typeError: 'only integers, byte buffers, and strings can be formatted as hex, was given',
    },
  ],
  [
    'X',
    {
      kinds: ['int', 'uint', 'string', 'bytes'],
      typeError: 'only integers, byte buffers, and strings can be formatted as hex, was given',
    },
  ],
  ['o', { kinds: ['int', 'uint'], typeError: 'octal clause can only be used on integers, was given' }],
]);

export function parseFormat(format: string): readonly Piece[] | Failure {
  const pieces: Piece[] = [];
  let index = 0;
  while (index < format.length) {
    const percent = format.indexOf('%', index);
    if (percent < 0) {
      pieces.push({ text: format.slice(index) });
      break;
    }
    if (percent > index) pieces.push({ text: format.slice(index, percent) });
    if (format[percent + 1] === '%') {
      pieces.push({ text: '%' });
      index = percent + 2;
      continue;
    }
    const clause = parseClause(format, percent + 1);
    if (clause instanceof Failure) return clause;
    pieces.push(clause.piece);
    index = clause.next;
  }
  return pieces;
}

function parseClause(format: string, start: number): { piece: Piece; next: number } | Failure {
  if (start >= format.length) return new Failure('unexpected end of string');
  const match = /^(?:\.(\d*))?(.)?/su.exec(format.slice(start, start + 24));
  const letter = match?.[2];
  if (letter === undefined)
    return new Failure(
      'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    );
  if (!CLAUSES.has(letter))
    return new Failure(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  const digits = match?.[1];
  if (digits === '')
    return new Failure(
      'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  const precision = digits === undefined ? PRECISION_DEFAULT : Number(digits);
  if (precision > PRECISION_MAX)
    return new Failure(`could not parse formatting clause: precision ${precision} is too large`);
  return { piece: { clause: letter, precision }, next: start + (match?.[0] ?? '').length };
}

export function formatText(format: string, args: CelList): Value {
  const pieces = parseFormat(format);
  if (pieces instanceof Failure) return pieces;
  let used = 0;
  let result = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      result += piece.text;
      continue;
    }
    if (used >= args.size) return new Failure(`index ${used} out of range`);
    const formatted = formatClause(piece.clause, piece.precision, args.at(used));
    if (formatted instanceof Failure) return formatted;
    result += formatted;
    used += 1;
  }
  return result;
}

type Formatter = (value: Value, precision: number) => string | Failure | undefined;

const FORMATTERS: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ['s', formatAsText],
  ['d', (value) => integer(value).toString()],
  ['f', (value, precision) => formatDoubleClause('f', precision, value)],
  ['e', (value, precision) => formatDoubleClause('e', precision, value)],
  ['b', (value) => (typeof value === 'boolean' ? String(Number(value)) : integer(value).toString(2))],
  ['o', (value) => integer(value).toString(8)],
  ['x', (value) => formatHex('x', value)],
  ['X', (value) => formatHex('X', value)],
]);

function formatClause(clause: string, precision: number, value: Value): string | Failure {
  if (value instanceof Failure) return value;
  const rule = CLAUSES.get(clause);
  const type = runtimeType(value);
  const isTaken = rule?.kinds.includes(type.kind) === true;
  const formatted = isTaken ? FORMATTERS.get(clause)?.(value, precision) : undefined;
  return formatted ?? new Failure(`error during formatting: ${rule?.typeError ?? ''} ${type.name}`);
}

function integer(value: Value): bigint {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : 0n;
}

function formatHex(clause: string, value: Value): string {
  let text: string;
  if (typeof value === 'string') text = Buffer.from(value, 'utf8').toString('hex');
  else if (value instanceof Uint8Array) text = Buffer.from(value).toString('hex');
  else text = integer(value).toString(16);
  return clause === 'X' ? text.toUpperCase() : text;
}

function formatDoubleClause(clause: string, precision: number, value: Value): string | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || (typeof value === 'string' && !/^(NaN|-?Infinity)$/.test(value))) return undefined;
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '-∞';
  if (clause === 'e') return formatScientific(number).padStart(precision);
  return grouped(fixedHalfEven(number, precision));
}

/** Groups thousands: upstream prints with the English locale. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** Formats a number with rounding of ties to even, as Go does. JavaScript rounds them away from zero. */
function fixedHalfEven(value: number, precision: number): string {
  const rounded = value.toFixed(precision);
  const exact = value.toFixed(PRECISION_MAX);
  const dot = exact.indexOf('.');
  const isTie = precision < PRECISION_MAX && /^50*$/.test(exact.slice(dot + 1 + precision));
  if (!isTie) return rounded;
  const kept = exact.slice(0, precision === 0 ? dot : dot + 1 + precision);
  return Number(kept.at(-1)) % 2 === 0 ? kept : rounded;
}

/** Formats a number with an exponent. There are always six digits, because upstream uses the precision as a width. */
function formatScientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(PRECISION_DEFAULT).split('e');
  const digits = exponent.slice(1).padStart(2, '0');
  return `${mantissa}×10${superscript(exponent.startsWith('-') ? `-${digits}` : digits)}`;
}

function superscript(digits: string): string {
  return Array.from(digits, (digit) => (digit === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? ''))).join('');
}

function formatAsText(value: Value): string | Failure {
  if (value === null) return 'null';
  if (value instanceof CelList) return formatItems(value);
  if (value instanceof CelMap) return formatEntries(value);
  const text = toText(value);
  return typeof text === 'string' ? text : (text as Failure);
}

function formatItems(list: CelList): string | Failure {
  const shown: string[] = [];
  for (const item of list) {
    const text = formatNested(item);
    if (text instanceof Failure) return text;
    shown.push(text);
  }
  return `[${shown.join(', ')}]`;
}

function formatEntries(map: CelMap): string | Failure {
  const shown: string[] = [];
  for (const key of map.keys()) {
    const name = formatNested(key);
    const text = formatNested(map.find(key) ?? null);
    if (name instanceof Failure) return name;
    if (text instanceof Failure) return text;
    shown.push(`${name}:${text}`);
  }
  return `{${shown.sort().join(', ')}}`;
}

/** Formats a value inside a list or map, quoted as in CEL source. */
function formatNested(value: Value): string | Failure {
  if (value instanceof Failure) return value;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? value.toFixed(PRECISION_DEFAULT)
      : `"${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}"`;
  }
  if (value instanceof Duration) return `duration("${formatDurationSeconds(value.nanoseconds)}")`;
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value.nanoseconds)}")`;
  const text = formatAsText(value);
  return value instanceof Uint8Array && typeof text === 'string' ? `b${JSON.stringify(text)}` : text;
}
