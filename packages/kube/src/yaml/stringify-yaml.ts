import { type ScalarTag, stringify, type Tags } from 'yaml';
import { stringifyJson } from '../json/stringify-json.js';
import type { JsonValue } from '../json/value.js';
import { octalTag } from './octal-tag.js';

// The library recurses with large frames; see yamlDepthMax.
const depthMax = 200;

/**
 * Writes YAML as kubectl prints it: keys in order, lists not indented, long lines unbroken, texts that YAML 1.1 would take
 * for something else in quotes.
 */
export function stringifyYaml(value: unknown): string {
  // JSON is YAML, and its writer does not mind depth.
  if (isDeeper(value as JsonValue, depthMax)) return `${stringifyJson(value)}\n`;
  return stringify(value, {
    version: '1.1',
    schema: 'yaml-1.1',
    merge: false,
    customTags: (tags) => [...tags.filter((tag) => !isMergeTag(tag)), octalTag, mergeText],
    indentSeq: false,
    lineWidth: 0,
    blockQuote: 'literal',
    aliasDuplicateObjects: false,
    sortMapEntries: (left, right) => compareNaturally(String(left.key), String(right.key)),
  });
}

/** A key that happens to be called `<<` needs quotes, or it would merge. */
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

/** `a2` before `a10`: numbers inside keys count as numbers. */
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
