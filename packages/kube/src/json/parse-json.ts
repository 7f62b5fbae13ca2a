import { ExactReader } from './exact-reader.js';
import { jsonDepthMax } from './limits.js';
import type { JsonValue, MutableJson } from './value.js';

export interface ParseJsonOptions {
  readonly maxDepth?: number;
}

export interface ParsedJson {
  readonly value: MutableJson;
  /** Paths of keys that stood more than once in one object, in order of the text; the last one won. */
  readonly duplicateKeys: string[];
}

// Numbers that may not fit a double (many digits, three-digit exponents) and escapes that may be half a surrogate pair.
const needsExactReader = /[0-9]{16}|[:,[\s]-?[0-9.]+[eE]\+?[0-9]{3}|\\u[dD][89a-fA-F]/;
const bareNumber = /^\s*-?[0-9]/;

/**
 * Reads a JSON text. The native parser does the work; a quick scan beforehand finds what it would lose (duplicate keys,
 * large integers) or let through (unbounded depth), and only such texts are read by the exact reader. Throws JsonError.
 */
export function parseJson(input: string | Uint8Array, options: ParseJsonOptions = {}): ParsedJson {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  const maxDepth = options.maxDepth ?? jsonDepthMax;
  const shape = scanShape(text);
  // Deeper texts go to the exact reader as well: it stops at the limit, or at an earlier syntax error.
  if (shape.depth <= maxDepth && !needsExactReader.test(text) && !bareNumber.test(text)) {
    const value = parseNative(text);
    if (value !== undefined && countKeys(value) === shape.keys) return { value, duplicateKeys: [] };
  }
  const reader = new ExactReader(text, maxDepth);
  const value = reader.read();
  return { value, duplicateKeys: reader.duplicateKeys };
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parseNative(text: string): MutableJson | undefined {
  try {
    return JSON.parse(text) as MutableJson;
  } catch (error) {
    // The exact reader finds the same mistake and words it as Go does.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Colons outside strings are keys, brackets outside strings are levels: true for JSON, and only used for that. */
function scanShape(text: string): { keys: number; depth: number } {
  let keys = 0;
  let level = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = skipString(text, index + 1);
    } else if (code === 0x3a) {
      keys += 1;
    } else if (code === 0x7b || code === 0x5b) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === 0x7d || code === 0x5d) {
      level -= 1;
    }
  }
  return { keys, depth };
}

/** The index of the closing quote. */
function skipString(text: string, from: number): number {
  let index = from;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return index;
}

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) count += countKeys(item);
    return count;
  }
  for (const key of Object.keys(value)) {
    const child = (value as { readonly [key: string]: JsonValue })[key];
    count += 1;
    if (typeof child === 'object' && child !== null) count += countKeys(child);
  }
  return count;
}

/** Only the value, for texts whose duplicate keys do not matter. */
export function parseJsonValue(input: string | Uint8Array, options: ParseJsonOptions = {}): MutableJson {
  return parseJson(input, options).value;
}
