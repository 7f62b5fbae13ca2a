import type { Issue } from './source.js';

type TokenKind = 'identifier' | 'escaped' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'operator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

/** The first syntax error. The parser converts it to a CompileError. */
export class SyntaxProblem extends Error {
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y;
const NUMBER =
  /0x[0-9a-fA-F]+[uU]?|[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[uU]?/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED = /`[A-Za-z0-9_.\-/ ]+`/y;
const STRING_START = /(?:[bB]?[rR]?|[rR][bB])(?:"""|'''|"|')/y;
const OPERATORS = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
];

export interface Tokens {
  readonly tokens: readonly Token[];
  /**
   * Errors about text that is not a token. The lexer continues after such text, so that all errors are reported
   * together.
   */
  readonly issues: readonly Issue[];
}

export function tokenize(source: string): Tokens {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let offset = 0;
  while (offset < source.length) {
    const space = matchAt(SPACE, source, offset);
    const token = space === undefined ? readToken(source, offset) : undefined;
    if (typeof token === 'number') {
      const message = `Syntax error: token recognition error at: '${source.slice(offset, token)}'`;
      issues.push({ offset, message });
      offset = token;
    } else {
      if (token !== undefined) tokens.push(token);
      offset += (token?.text ?? space ?? ' ').length;
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length });
  return { tokens, issues };
}

/** Reads a token. Returns the position at which to continue if there is none. */
function readToken(source: string, offset: number): Token | number {
  const quote = matchAt(STRING_START, source, offset);
  if (quote !== undefined) return readString(source, offset, quote);
  const number = readNumber(source, offset);
  if (number !== undefined) return number;
  const identifier = matchAt(IDENTIFIER, source, offset);
  if (identifier !== undefined) return { kind: 'identifier', text: identifier, offset };
  const escaped = matchAt(ESCAPED, source, offset);
  if (escaped !== undefined) return { kind: 'escaped', text: escaped, offset };
  const operator = OPERATORS.find((text) => source.startsWith(text, offset));
  if (operator !== undefined) return { kind: 'operator', text: operator, offset };
  // An incomplete operator is reported with the next character.
  const isHalf = /[=&|]/.test(source[offset] ?? '') && offset + 1 < source.length;
  return offset + (isHalf || (source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
}

function readNumber(source: string, offset: number): Token | undefined {
  const text = matchAt(NUMBER, source, offset);
  if (text === undefined) return undefined;
  // NUMBER includes a dot only if digits follow it: `1.name` is a selection.
  if (/[uU]$/.test(text)) return { kind: 'uint', text, offset };
  const isDouble = !text.startsWith('0x') && /[.eE]/.test(text);
  return { kind: isDouble ? 'double' : 'int', text, offset };
}

function readString(source: string, offset: number, start: string): Token | number {
  const prefix = start.replace(/["']+$/, '').toLowerCase();
  // In b"" and br"" the letters are a prefix of the literal, but in rb"" they are an identifier.
  if (prefix === 'rb') return { kind: 'identifier', text: source.slice(offset, offset + 2), offset };
  const quote = start.slice(prefix.length);
  const kind = prefix.includes('b') ? 'bytes' : 'string';
  let index = offset + start.length;
  while (index < source.length && !source.startsWith(quote, index)) {
    const length = pieceLength(source, index, quote, prefix.includes('r'));
    if (length === undefined)
      return Math.min(source.length, index + 1 + (matchAt(ESCAPE_START, source, index)?.length ?? 0));
    index += length;
  }
  if (index < source.length) return { kind, text: source.slice(offset, index + quote.length), offset };
  // Unterminated triple quotes are read as an empty string and the start of another string.
  if (quote.length === 3) return { kind, text: source.slice(offset, offset + start.length - 1), offset };
  return source.length;
}

/** Matches as much of a truncated escape as there is. */
const ESCAPE_START = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;
const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** Returns the length of the next character or escape of a string, or undefined if the string cannot continue. */
function pieceLength(source: string, index: number, quote: string, raw: boolean): number | undefined {
  const character = source[index];
  if (quote.length === 1 && (character === '\n' || character === '\r')) return undefined;
  return character === '\\' && !raw ? matchAt(ESCAPE, source, index)?.length : 1;
}

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  const found = pattern.exec(source);
  return found === null || found[0] === '' ? undefined : found[0];
}
