import { normalizeInteger } from './integer.js';
import { JsonError, unexpectedCharacter } from './json-error.js';
import { duplicateKeysMax } from './limits.js';
import { setKey } from './set-key.js';
import type { MutableJson, MutableJsonObject } from './value.js';

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const integerPattern = /^-?[0-9]+$/;
// The characters of a string up to its closing quote, first escape or first illegal character.
const plainPattern = /[ !\u0023-\u005b\u005d-\uffff]*/y;

const literals = new Map<string, { text: string; value: boolean | null }>([
  ['t', { text: 'true', value: true }],
  ['f', { text: 'false', value: false }],
  ['n', { text: 'null', value: null }],
]);

/**
 * Parses JSON with features that the native parser lacks: exact 64-bit integers, the paths of duplicate keys and Go's error
 * messages. It is slower, so it is used only for texts that need one of these.
 */
export class ExactReader {
  readonly duplicateKeys: string[] = [];
  readonly #path: (string | number)[] = [];
  #offset = 0;

  constructor(
    private readonly text: string,
    private readonly depthMax: number,
    /** Receives the path of every key, in text order. */
    private readonly onKey?: (path: string) => void,
  ) {}

  read(): MutableJson {
    const value = this.#readValue();
    this.#skipSpace();
    if (this.#offset < this.text.length) throw this.#unexpected('after top-level value');
    return value;
  }

  #readValue(): MutableJson {
    this.#skipSpace();
    const character = this.text[this.#offset];
    if (character === '{') return this.#readObject();
    if (character === '[') return this.#readArray();
    if (character === '"') return this.#readString();
    if (character === '-' || isDigit(character)) return this.#readNumber();
    return this.#readLiteral(character);
  }

  #readObject(): MutableJsonObject {
    const result: MutableJsonObject = {};
    this.#enter();
    if (this.#take('}')) return result;
    for (;;) {
      this.#skipSpace();
      if (this.text[this.#offset] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#readString();
      this.#path.push(key);
      this.onKey?.(formatPath(this.#path));
      if (Object.hasOwn(result, key)) this.#reportDuplicate();
      if (!this.#take(':')) throw this.#unexpected('after object key');
      setKey(result, key, this.#readValue());
      this.#path.pop();
      if (this.#take(',')) continue;
      if (this.#take('}')) return result;
      throw this.#unexpected('after object key:value pair');
    }
  }

  #readArray(): MutableJson[] {
    const result: MutableJson[] = [];
    this.#enter();
    if (this.#take(']')) return result;
    for (;;) {
      this.#path.push(result.length);
      result.push(this.#readValue());
      this.#path.pop();
      if (this.#take(',')) continue;
      if (this.#take(']')) return result;
      throw this.#unexpected('after array element');
    }
  }

  #enter(): void {
    this.#offset += 1;
    // The path has exactly one entry for every level.
    if (this.#path.length >= this.depthMax) throw new JsonError('exceeded max depth', this.#offset - 1);
  }

  #readString(): string {
    const start = this.#offset;
    let escaped = false;
    this.#offset += 1;
    for (;;) {
      plainPattern.lastIndex = this.#offset;
      plainPattern.test(this.text);
      this.#offset = plainPattern.lastIndex;
      const character = this.text[this.#offset];
      if (character === '"') break;
      if (character !== '\\') throw this.#unexpected('in string literal');
      escaped = true;
      this.#skipEscape();
    }
    this.#offset += 1;
    if (!escaped) return this.text.slice(start + 1, this.#offset - 1);
    return replaceLoneSurrogates(JSON.parse(this.text.slice(start, this.#offset)) as string);
  }

  #skipEscape(): void {
    this.#offset += 1;
    const kind = this.text[this.#offset];
    if (kind === undefined || !'"\\/bfnrtu'.includes(kind)) throw this.#unexpected('in string escape code');
    this.#offset += 1;
    if (kind !== 'u') return;
    for (let count = 0; count < 4; count += 1) {
      if (!/[0-9a-fA-F]/.test(this.text[this.#offset] ?? ''))
        throw this.#unexpected('in \\u hexadecimal character escape');
      this.#offset += 1;
    }
  }

  #readNumber(): number | bigint {
    const start = this.#offset;
    numberPattern.lastIndex = start;
    if (!numberPattern.test(this.text)) {
      this.#offset += 1;
      throw this.#unexpected('in numeric literal');
    }
    this.#offset = numberPattern.lastIndex;
    this.#checkNumberEnd();
    const token = this.text.slice(start, this.#offset);
    if (token.length > 15 && integerPattern.test(token) && token.length <= 20) return normalizeInteger(BigInt(token));
    const value = Number(token);
    if (!Number.isFinite(value))
      throw new JsonError(`json: cannot unmarshal number ${token} into Go value of type float64`, start);
    return value;
  }

  #checkNumberEnd(): void {
    const next = this.text[this.#offset];
    if (next === '.') {
      this.#offset += 1;
      throw this.#unexpected('after decimal point in numeric literal');
    }
    if (next === 'e' || next === 'E') {
      this.#offset += 1;
      if (this.text[this.#offset] === '-' || this.text[this.#offset] === '+') this.#offset += 1;
      throw this.#unexpected('in exponent of numeric literal');
    }
  }

  #readLiteral(first: string | undefined): boolean | null {
    const literal = literals.get(first ?? '');
    if (literal === undefined) throw this.#unexpected('looking for beginning of value');
    for (const expected of literal.text) {
      if (this.text[this.#offset] !== expected)
        throw this.#unexpected(`in literal ${literal.text} (expecting '${expected}')`);
      this.#offset += 1;
    }
    return literal.value;
  }

  #take(character: string): boolean {
    this.#skipSpace();
    if (this.text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.#offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#offset += 1;
    }
  }

  #reportDuplicate(): void {
    const path = formatPath(this.#path);
    if (this.duplicateKeys.length < duplicateKeysMax && !this.duplicateKeys.includes(path))
      this.duplicateKeys.push(path);
  }

  #unexpected(context: string): JsonError {
    return unexpectedCharacter(this.text, this.#offset, context);
  }
}

/** Formats a path as in upstream's strict decoding errors: `spec.items[0].q`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/**
 * Replaces lone surrogates. They have no UTF-8 encoding, so the stored bytes would otherwise differ from the object.
 */
function replaceLoneSurrogates(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
