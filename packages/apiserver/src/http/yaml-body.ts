import { jsonDepthMax, type JsonValue, type MutableJson, type MutableJsonObject } from '@slipway/kube';
import { isAlias, isMap, isNode, isScalar, isSeq, type Node, parseAllDocuments, type Tags } from 'yaml';

/** Aliases multiply: a document of a few hundred bytes can describe gigabytes. */
const aliasesMax = 100;
const nodesMax = 1_000_000;

/**
 * Reads a YAML body by the rules that kubectl and Go use (YAML 1.1, without times and base-60 numbers). Throws an Error in
 * Go's words.
 */
export function parseYamlBody(bytes: Uint8Array): { value: JsonValue; duplicateKeys: readonly string[] } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  assertShallow(text);
  const [document, second] = parseDocuments(text);
  if (second !== undefined && text.trim() !== '') throw yamlError('expected a single document in the stream');
  const problem = document?.errors[0];
  if (problem !== undefined) throw yamlError(`line ${problem.linePos?.[0].line ?? 1}: ${firstLine(problem.message)}`);
  const reader = new Reader((alias) => document?.anchors.get(alias));
  const value = document?.contents == null ? null : reader.read(document.contents, '', 0);
  return { value, duplicateKeys: reader.duplicateKeys };
}

/**
 * The parser's memory grows with the square of the depth, so that it must not see a document of brackets or dashes. Counts
 * brackets in plain text as well: no real document holds a thousand that are left open.
 */
function assertShallow(text: string): void {
  let brackets = 0;
  let markers = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) brackets += 1;
    else if ((code === 0x5d || code === 0x7d) && brackets > 0) brackets -= 1;
    else if ((code === 0x2d || code === 0x3f) && text.charCodeAt(index + 1) === 0x20) markers += 1;
    else if (code !== 0x20) markers = 0;
    if (brackets > jsonDepthMax || markers > jsonDepthMax) throw yamlError('exceeded max depth');
  }
}

function yamlError(message: string): Error {
  return new Error(`error converting YAML to JSON: yaml: ${message}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? text;
}

interface ParsedDocument {
  readonly contents: Node | null;
  readonly errors: readonly {
    readonly message: string;
    readonly linePos?: readonly [{ readonly line: number }, ...unknown[]];
  }[];
  readonly anchors: ReadonlyMap<string, Node>;
}

function parseDocuments(text: string): ParsedDocument[] {
  try {
    const documents = parseAllDocuments(text, {
      version: '1.1',
      customTags: withoutTimes,
      uniqueKeys: false,
      merge: true,
      intAsBigInt: true,
      prettyErrors: true,
      logLevel: 'silent',
    });
    if (!Array.isArray(documents)) return [];
    return documents.map((document) => ({
      contents: document.contents as Node | null,
      errors: document.errors,
      anchors: collectAnchors(document.contents as Node | null),
    }));
  } catch (error) {
    // The composer recurses: a body of brackets exhausts the stack, which is the sender's problem, not ours.
    if (error instanceof RangeError) throw yamlError('exceeded max depth');
    throw error;
  }
}

function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !(tag.tag.endsWith(':timestamp') || isBase60(tag)));
}

function isBase60(tag: object): boolean {
  return 'format' in tag && tag.format === 'TIME';
}

function collectAnchors(root: Node | null): Map<string, Node> {
  const anchors = new Map<string, Node>();
  const pending: unknown[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!isNode(node)) continue;
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    if (isMap(node)) for (const pair of node.items) pending.push(pair.key, pair.value);
    else if (isSeq(node)) pending.push(...node.items);
  }
  return anchors;
}

class Reader {
  readonly duplicateKeys: string[] = [];
  #aliases = 0;
  #nodes = 0;

  constructor(private readonly anchor: (name: string) => Node | undefined) {}

  read(node: unknown, path: string, depth: number): MutableJson {
    this.#nodes += 1;
    if (depth > jsonDepthMax) throw yamlError('exceeded max depth');
    if (this.#nodes > nodesMax) throw yamlError('document contains excessive aliasing');
    if (isAlias(node)) return this.#readAlias(node.source, path, depth);
    if (isMap(node)) return this.#readMap(node.items, path, depth);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, `${path}[${index}]`, depth + 1));
    return isScalar(node) ? scalar(node.value) : null;
  }

  #readAlias(name: string, path: string, depth: number): MutableJson {
    this.#aliases += 1;
    const target = this.anchor(name);
    if (target === undefined) throw yamlError(`unknown anchor '${name}' referenced`);
    if (this.#aliases > aliasesMax) throw yamlError('document contains excessive aliasing');
    return this.read(target, path, depth + 1);
  }

  #readMap(items: readonly { key: unknown; value: unknown }[], path: string, depth: number): MutableJsonObject {
    const object: MutableJsonObject = {};
    for (const pair of items) {
      const key = keyText(pair.key);
      const place = path === '' ? key : `${path}.${key}`;
      const value = this.read(pair.value, place, depth + 1);
      if (isMergeKey(pair.key)) mergeInto(object, value);
      else {
        if (Object.hasOwn(object, key)) this.duplicateKeys.push(place);
        define(object, key, value);
      }
    }
    return object;
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol') && key.type === 'PLAIN';
}

function mergeInto(object: MutableJsonObject, source: MutableJson): void {
  const sources = Array.isArray(source) ? source : [source];
  for (const item of sources) {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw yamlError('map merge requires map or sequence of maps as the value');
    for (const [key, value] of Object.entries(item)) if (!Object.hasOwn(object, key)) define(object, key, value);
  }
}

/** `__proto__` is a key like any other. */
function define(object: MutableJsonObject, key: string, value: MutableJson | undefined): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function keyText(key: unknown): string {
  if (!isScalar(key)) throw yamlError('invalid map key');
  const { value } = key;
  if (typeof value === 'symbol') return '<<';
  return value === null || value === undefined ? 'null' : String(value as string | number | boolean | bigint);
}

function scalar(value: unknown): MutableJson {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw yamlError(`unsupported value: ${value}`);
    return value;
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return null;
}
