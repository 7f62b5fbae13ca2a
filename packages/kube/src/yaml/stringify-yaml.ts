import { Document, Scalar, type ScalarTag, type Tags, visit } from 'yaml';
import { stringifyJson } from '../json/stringify-json.js';
import type { JsonValue } from '../json/value.js';
import { octalTag } from './octal-tag.js';

// Maximum depth for the YAML library, which recurses with large stack frames. See yamlDepthMax.
const depthMax = 200;

/**
 * Formats YAML like kubectl: sorted keys, lists not indented, long lines not folded, and quotes around strings that YAML
 * 1.1 would parse as another type.
 */
export function stringifyYaml(value: unknown): string {
  // Use JSON for deeper values: it is valid YAML, and its encoder handles any depth.
  if (isDeeper(value as JsonValue, depthMax)) return `${stringifyJson(value)}\n`;
  const document = new Document(value, {
    version: '1.1',
    schema: 'yaml-1.1',
    merge: false,
    customTags: (tags) => [...tags.filter((tag) => !isMergeTag(tag)), octalTag, mergeText],
    aliasDuplicateObjects: false,
    sortMapEntries: (left, right) => compareNaturally(String(left.key), String(right.key)),
  });
  visit(document, { Scalar: (_key, scalar) => quoteDoubly(scalar, document) });
  return document.toString({ indentSeq: false, lineWidth: 0, blockQuote: 'literal', singleQuote: true });
}

const needsEscapes = /(?!\n)[\p{Cc}\u2028\u2029\ufeff]/u;

/**
 * Changes the quotes of a scalar to those of Go's encoder: single quotes around strings with characters that are special in YAML,
 * and double quotes around strings that would parse as another type. Single quotes have no escapes, so control characters need
 * double quotes too.
 */
function quoteDoubly(scalar: Scalar, document: Document): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  const isOtherType = document.schema.tags.some(
    (tag) => tag.default === true && 'test' in tag && tag.tag !== stringTag && tag.test?.test(value) === true,
  );
  if (isOtherType || value === '' || needsEscapes.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

const stringTag = 'tag:yaml.org,2002:str';

/** Quotes the key `<<`, which would be a merge key otherwise. */
const mergeText: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: true,
  test: /^<<$/,
  identify: () => false,
  resolve: (text) => text,
};

function isMergeTag(tag: Tags[number]): boolean {
  return tag === 'merge' || (typeof tag === 'object' && tag.tag === mergeText.tag);
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member: JsonValue | undefined) => isDeeper(member, levels - 1));
}

/** Compares keys naturally, so that `a2` sorts before `a10`: digits compare as numbers. */
function compareNaturally(left: string, right: string): number {
  const leftParts = left.match(/[0-9]+|[^0-9]+/g) ?? [];
  const rightParts = right.match(/[0-9]+|[^0-9]+/g) ?? [];
  for (let index = 0; index < Math.min(leftParts.length, rightParts.length); index += 1) {
    const order = comparePart(leftParts[index] ?? '', rightParts[index] ?? '');
    if (order !== 0) return order;
  }
  return leftParts.length - rightParts.length;
}

function comparePart(left: string, right: string): number {
  if (/^[0-9]/.test(left) && /^[0-9]/.test(right) && left.length !== right.length)
    return left.replace(/^0+/, '').length - right.replace(/^0+/, '').length || left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}
