import { ExactReader } from './exact-reader.js';
import { jsonDepthMax } from './limits.js';
import type { JsonValue, MutableJson } from './value.js';

export interface ParseJsonOptions {
  readonly maxDepth?: number;
}

export interface ParsedJson {
  readonly value: MutableJson;
  /** Paths of duplicate keys, in text order. The last value is used. */
  readonly duplicateKeys: string[];
  /** Returns the paths of all keys in text order, repeated ones each time. Undefined if there are no duplicate keys. */
  readonly keyPaths?: () => string[];
}

// Matches escapes that may be a lone surrogate.
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON with the native parser. A quick scan beforehand detects texts in which that parser would lose information
 * (duplicate keys, large integers) or that are too deep; only those go to the exact reader. Throws JsonError.
 */
export function parseJson(input: string | Uint8Array, options: ParseJsonOptions = {}): ParsedJson {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  const maxDepth = options.maxDepth ?? jsonDepthMax;
  const shape = scanShape(text);
  // Texts that are too deep also go to the exact reader, which stops at the limit or at an earlier syntax error.
  if (shape.depth <= maxDepth && !shape.unsafeNumbers && !hasSurrogateEscape(text)) {
    const value = parseNative(text);
    if (value !== undefined && countKeys(value) === shape.keys) return { value, duplicateKeys: [] };
  }
  const reader = new ExactReader(text, maxDepth);
  const value = reader.read();
  const { duplicateKeys } = reader;
  if (duplicateKeys.length === 0) return { value, duplicateKeys };
  return { value, duplicateKeys, keyPaths: () => keyPathsOf(text, maxDepth) };
}

function keyPathsOf(text: string, maxDepth: number): string[] {
  const paths: string[] = [];
  new ExactReader(text, maxDepth, (path) => paths.push(path)).read();
  return paths;
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parseNative(text: string): MutableJson | undefined {
  try {
    return JSON.parse(text) as MutableJson;
  } catch (error) {
    // The exact reader finds the same syntax error and reports it with Go's message.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function hasSurrogateEscape(text: string): boolean {
  return text.includes('\\u') && surrogateEscape.test(text);
}

interface Shape {
  readonly keys: number;
  readonly depth: number;
  /** Whether a number may not fit a double, because it has many digits or an exponent. */
  readonly unsafeNumbers: boolean;
}

const safeDigits = 15;

/**
 * Scans the structure of a text: colons outside strings belong to keys, and brackets outside strings are levels. This is one long
 * loop without calls, because it processes every byte of every request.
 */
function scanShape(text: string): Shape {
  let keys = 0;
  let level = 0;
  let depth = 0;
  let digits = 0;
  let unsafeNumbers = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > safeDigits) unsafeNumbers = true;
      continue;
    }
    if (code === 0x22) {
      index = findStringEnd(text, index + 1);
    } else if (code === 0x3a) {
      keys += 1;
    } else if (code === 0x7b || code === 0x5b) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === 0x7d || code === 0x5d) {
      level -= 1;
    } else if ((code === 0x65 || code === 0x45) && digits > 0) {
      unsafeNumbers = true;
    }
    digits = 0;
  }
  return { keys, depth, unsafeNumbers };
}

/** Returns the index of the closing quote, or an index past the end of the text. */
function findStringEnd(text: string, from: number): number {
  for (let index = from; ; index += 1) {
    const end = text.indexOf('"', index);
    if (end < 0) return text.length;
    if (!isEscaped(text, from, end)) return end;
    index = end;
  }
}

function isEscaped(text: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === 0x5c) start -= 1;
  return (at - start) % 2 === 1;
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

/** Parses JSON and returns only the value. For texts whose duplicate keys are ignored. */
export function parseJsonValue(input: string | Uint8Array, options: ParseJsonOptions = {}): MutableJson {
  return parseJson(input, options).value;
}
