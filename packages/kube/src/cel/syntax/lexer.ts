import type { Issue } from './source.js';

export type TokenKind =
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'operator'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

/** Raised at the first place where the text is no CEL; the parser turns it into a CompileError. */
export class SyntaxProblem extends Error {
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y;
const NUMBER = /0x[0-9a-fA-F]+[uU]?|[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[uU]?/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED = /`[A-Za-z0-9_.\-/ ]+`/y;
const STRING_START = /(?:[bB]?[rR]?|[rR][bB])(?:"""|'''|"|')/y;
const OPERATORS = ['==', '!=', '<=', '>=', '&&', '||', '<', '>', '(', ')', '[', ']', '{', '}', '.', ',', '-', '!', '?', ':', '+', '*', '/', '%'];

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < source.length) {
    const space = matchAt(SPACE, source, offset);
    if (space !== undefined) {
      offset += space.length;
      continue;
    }
    const token = readToken(source, offset);
    tokens.push(token);
    offset += token.text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length });
  return tokens;
}

function readToken(source: string, offset: number): Token {
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
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  throw new SyntaxProblem({ offset, message: `Syntax error: token recognition error at: '${escapeShown(character)}'` });
}

function readNumber(source: string, offset: number): Token | undefined {
  const text = matchAt(NUMBER, source, offset);
  if (text === undefined) return undefined;
  // `x.1` never happens in CEL, but `1.` followed by a name is a selection, so the dot needs digits behind it.
  if (/[uU]$/.test(text)) return { kind: 'uint', text, offset };
  const isDouble = !text.startsWith('0x') && /[.eE]/.test(text);
  return { kind: isDouble ? 'double' : 'int', text, offset };
}

function readString(source: string, offset: number, start: string): Token {
  const prefix = start.replace(/["']+$/, '').toLowerCase();
  // The grammar writes bytes as b"..", br".." but not rb"..".
  if (prefix === 'rb') return { kind: 'identifier', text: source.slice(offset, offset + 2), offset };
  const quote = start.slice(prefix.length);
  const raw = prefix.includes('r');
  let index = offset + start.length;
  while (index < source.length) {
    if (source.startsWith(quote, index)) {
      const text = source.slice(offset, index + quote.length);
      return { kind: prefix.includes('b') ? 'bytes' : 'string', text, offset };
    }
    const character = source[index];
    if (quote.length === 1 && (character === '\n' || character === '\r')) break;
    index += character === '\\' && !raw ? 2 : 1;
  }
  const shown = escapeShown(source.slice(offset, Math.min(index, source.length)));
  throw new SyntaxProblem({ offset, message: `Syntax error: token recognition error at: '${shown}'` });
}

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  const found = pattern.exec(source);
  return found === null || found[0] === '' ? undefined : found[0];
}

function escapeShown(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
