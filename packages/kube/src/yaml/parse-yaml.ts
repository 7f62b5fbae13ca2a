import type { MutableJson } from '../json/value.js';
import { JsonError } from '../json/json-error.js';
import { type ParsedJson, parseJson } from '../json/parse-json.js';
import { composeYaml } from './compose.js';
import { convertDocument } from './convert.js';
import { YamlError } from './yaml-error.js';

export interface ParseYamlOptions {
  /** Maximum number of tokens, which limits the work for one text. A line has about seven tokens. */
  readonly maxTokens?: number;
}

const requestTokensMax = 500_000;
const manifestTokensMax = 5_000_000;

/** Parses the first document of a request body. Throws YamlError. */
export function parseYaml(input: string | Uint8Array, options: ParseYamlOptions = {}): ParsedJson {
  const text = decode(input);
  const json = tryJson(text);
  if (json !== undefined) return json;
  const documents = composeYaml(text, options.maxTokens ?? requestTokensMax);
  const [first] = documents;
  // Like upstream, ignore all documents but the first.
  return first === undefined ? { value: null, duplicateKeys: [] } : convertDocument(first);
}

/** Parses a manifest of any number of documents. Omits empty ones. Throws YamlError. */
export function parseYamlDocuments(input: string | Uint8Array, options: ParseYamlOptions = {}): ParsedJson[] {
  const text = decode(input);
  const json = tryJson(text);
  if (json !== undefined) return [json];
  return composeYaml(text, options.maxTokens ?? manifestTokensMax)
    .map(convertDocument)
    .filter((document) => document.value !== null);
}

/** Parses YAML and returns only the value. For texts whose duplicate keys are ignored. */
export function parseYamlValue(input: string | Uint8Array, options: ParseYamlOptions = {}): MutableJson {
  return parseYaml(input, options).value;
}

function decode(input: string | Uint8Array): string {
  if (typeof input === 'string') return input;
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('utf8');
}

/**
 * Tries to parse the text as JSON. Most bodies with a YAML content type are JSON, which is a hundred times faster to parse as
 * JSON.
 */
function tryJson(text: string): ParsedJson | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.message === 'exceeded max depth') throw new YamlError(error.message);
    return undefined;
  }
}
