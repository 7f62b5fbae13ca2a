import { isAlias, isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { formatPath } from '../json/exact-reader.js';
import { normalizeInteger } from '../json/integer.js';
import { duplicateKeysMax } from '../json/limits.js';
import type { ParsedJson } from '../json/parse-json.js';
import { setKey } from '../json/set-key.js';
import type { MutableJson, MutableJsonObject } from '../json/value.js';
import type { YamlDocument } from './compose.js';
import { YamlError } from './yaml-error.js';

/** Maximum size that aliases add to a document, in characters and nodes. Protects against alias bombs. */
const aliasWeightMax = 2_000_000;

export function convertDocument(document: YamlDocument): ParsedJson {
  const converter = new Converter();
  const value = converter.convert(document.contents);
  return { value, duplicateKeys: converter.duplicateKeys };
}

/** Converts YAML nodes to JSON. Copies the targets of aliases, so that the result is a plain tree. */
class Converter {
  readonly duplicateKeys: string[] = [];
  readonly #path: (string | number)[] = [];
  readonly #anchors = new Map<string, unknown>();
  readonly #open = new Set<unknown>();
  #aliasDepth = 0;
  #aliasWeight = 0;

  convert(node: unknown): MutableJson {
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#convertAlias(node.source);
    this.#weigh(1);
    this.#remember(node);
    if (isScalar(node)) return this.#convertScalar(node);
    this.#open.add(node);
    const value = isMap(node) ? this.#convertMap(node) : this.#convertList(node);
    this.#open.delete(node);
    return value;
  }

  #remember(node: unknown): void {
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  #convertAlias(name: string): MutableJson {
    const target = this.#target(name);
    this.#aliasDepth += 1;
    const value = this.convert(target);
    this.#aliasDepth -= 1;
    return value;
  }

  #target(name: string): unknown {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw new YamlError(`anchor '${name}' value contains itself`);
    return target;
  }

  #weigh(weight: number): void {
    if (this.#aliasDepth === 0) return;
    this.#aliasWeight += weight;
    if (this.#aliasWeight > aliasWeightMax) throw new YamlError('document contains excessive aliasing');
  }

  #convertScalar(node: Scalar): MutableJson {
    const { value } = node;
    if (typeof value === 'string') {
      this.#weigh(value.length);
      return value;
    }
    if (typeof value === 'bigint') return normalizeInteger(value);
    if (typeof value === 'number') return convertNumber(value, node.source ?? '');
    if (typeof value === 'boolean') return value;
    if (value === null) return null;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    return node.source ?? '';
  }

  #convertList(node: unknown): MutableJson[] {
    if (!isSeq(node)) throw new YamlError('unsupported node');
    return node.items.map((item, index) => {
      this.#path.push(index);
      const value = this.convert(item);
      this.#path.pop();
      return value;
    });
  }

  #convertMap(node: YAMLMap): MutableJsonObject {
    const result: MutableJsonObject = {};
    const merges: unknown[] = [];
    for (const pair of node.items) {
      if (isMergeKey(pair)) {
        merges.push(pair.value);
        continue;
      }
      const key = this.#convertKey(pair.key);
      this.#path.push(key);
      if (Object.hasOwn(result, key)) this.#reportDuplicate();
      setKey(result, key, this.convert(pair.value));
      this.#path.pop();
    }
    // Keys of the map itself take precedence over merged keys, and earlier merges over later ones.
    for (const merge of merges) this.#merge(result, merge);
    return result;
  }

  #merge(result: MutableJsonObject, source: unknown): void {
    const node = isAlias(source) ? this.#target(source.source) : source;
    if (isSeq(node)) {
      for (const item of node.items) this.#merge(result, item);
      return;
    }
    if (!isMap(node)) throw new YamlError('map merge requires map or sequence of maps as the value');
    const members = isAlias(source) ? this.#convertAlias(source.source) : this.convert(node);
    for (const [key, value] of Object.entries(members as MutableJsonObject))
      if (!Object.hasOwn(result, key)) setKey(result, key, value);
  }

  #convertKey(node: unknown): string {
    const value = this.convert(node);
    if (typeof value === 'string') return value;
    if (value === null || typeof value === 'object')
      throw new YamlError(`unsupported map key at ${JSON.stringify(formatPath(this.#path))}`);
    return String(value);
  }

  #reportDuplicate(): void {
    const path = formatPath(this.#path);
    if (this.duplicateKeys.length < duplicateKeysMax && !this.duplicateKeys.includes(path))
      this.duplicateKeys.push(path);
  }
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.source === '<<' && pair.key.type === 'PLAIN';
}

function convertNumber(value: number, source: string): MutableJson {
  if (Number.isFinite(value)) return value;
  // Like upstream, read a number that is too large for a double as a string: JSON has no infinity.
  if (/[0-9]/.test(source)) return source;
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlError(`json: unsupported value: ${name}`);
}
