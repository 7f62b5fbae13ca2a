import { formatRegexSize } from '../library/index.js';
import type { Value } from '../values/index.js';
import { CelList, CelMap, codePointCount, Opaque, Optional } from '../values/index.js';

/** Cost units per character read and per character of a pattern, as in cel-go. */
export const TEXT_FACTOR = 0.1;
export const REGEX_FACTOR = 0.25;
export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;
const CHECK_COST = 350_000;

function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return codePointCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Opaque) return value.costSize ?? 1;
  return 1;
}

function comparedSize(value: Value | undefined): number {
  return value instanceof Optional && value.value !== undefined ? comparedSize(value.value) : sizeOf(value);
}

function textCost(size: number): number {
  return Math.ceil(size * TEXT_FACTOR);
}

function regexCost(textSize: number, patternSize: number): number {
  return textCost(1 + textSize) * Math.ceil(patternSize * REGEX_FACTOR);
}

/** Returns the cost of traversing a value: one per scalar, a tenth per character. */
function traversalCost(value: Value | undefined): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * TEXT_FACTOR);
  if (value instanceof Uint8Array) return Math.trunc(value.length * TEXT_FACTOR);
  if (value instanceof CelList) {
    let sum = 0;
    for (const item of value) sum += traversalCost(item);
    return sum;
  }
  if (!(value instanceof CelMap)) return 1;
  let sum = 0;
  for (const key of value.keys()) sum += traversalCost(key) + traversalCost(value.find(key));
  return sum;
}

function newListCost(factor: number, size: number): number {
  return Math.trunc(size * factor) + 1 + LIST_COST;
}

function selfCompareCost(list: Value | undefined): number {
  if (!(list instanceof CelList)) return newListCost(2, 1);
  const first = list.size === 0 ? undefined : list.at(0);
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + TEXT_FACTOR : 2;
  return newListCost(factor, list.size * list.size);
}

interface CostedCall {
  readonly overload: string;
  readonly args: readonly Value[];
  readonly result: Value;
}

type CostRule = (call: CostedCall) => number | undefined;

const one: CostRule = () => 1;
const textOfFirst: CostRule = ({ args }) => textCost(sizeOf(args[0]));
const textOfFirstTwice: CostRule = ({ args }) => Math.ceil(sizeOf(args[0]) * 2 * TEXT_FACTOR);
const traversal: CostRule = ({ args }) => traversalCost(args[0]);
const selector: CostRule = ({ args }) => {
  const size = sizeOf(args[1]);
  return LIST_COST + textCost(size) + Math.ceil(Math.ceil(size * 0.5) * (LIST_COST + STRUCT_COST));
};
const search: CostRule = ({ args }) => regexCost(sizeOf(args[0]), sizeOf(args[1]));
const outputSize: CostRule = ({ result }) => newListCost(1, sizeOf(result));
const sets =
  (factor: number): CostRule =>
  ({ args }) =>
    1 + sizeOf(args[0]) * sizeOf(args[1]) * factor;
const flatten: CostRule = ({ args }) => newListCost(args.length === 2 ? Number(args[1]) : 1, sizeOf(args[0]));
const containsIp: CostRule = ({ args, overload }) =>
  textCost(sizeOf(args[0]) * 2) + (overload === 'cidr_contains_ip_string' ? textCost(sizeOf(args[1])) : 0);
const containsCidr: CostRule = ({ args, overload }) =>
  textCost(sizeOf(args[0]) * 2) +
  textCost(sizeOf(args[0])) +
  1 +
  (overload === 'cidr_contains_cidr_string' ? textCost(sizeOf(args[1])) : 0);
const validate: CostRule = ({ args }) => {
  const pattern = formatRegexSize(args[0]);
  return pattern === undefined ? undefined : regexCost(sizeOf(args[1]), pattern);
};

/** Costs of library functions, by overload. */
const BY_OVERLOAD: ReadonlyMap<string, CostRule> = new Map<string, CostRule>([
  ['list_slice', outputSize],
  ['lists_range', outputSize],
  ['list_reverse', outputSize],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['list_distinct', ({ args }) => selfCompareCost(args[0])],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
]);

function named(names: string, rule: CostRule): readonly (readonly [string, CostRule])[] {
  return names.split(' ').map((name) => [name, rule] as const);
}

/** Costs that Kubernetes defines, by function. */
const BY_FUNCTION: ReadonlyMap<string, CostRule> = new Map<string, CostRule>([
  ['check', () => CHECK_COST],
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...named('fieldSelector labelSelector', selector),
  ...named('isSorted sum max min indexOf lastIndexOf', traversal),
  ...named(
    'url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity semver isSemver',
    textOfFirst,
  ),
  ...named('replace split ip.isCanonical', textOfFirstTwice),
  ['join', ({ result }) => Math.ceil(sizeOf(result) * 2 * TEXT_FACTOR)],
  ...named('find findAll', search),
  ['ip', (call) => (call.overload === 'cidr_ip' ? 1 : textOfFirst(call))],
  ...named(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    one,
  ),
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['validate', validate],
  ...named(
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    one,
  ),
  ...named('getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  ['_==_', ({ args }) => (args[0] instanceof Opaque ? 1 : undefined)],
]);

const smallerText: CostRule = ({ args }) => textCost(Math.min(comparedSize(args[0]), comparedSize(args[1])));

/** Costs of standard functions, by overload. All others cost one. */
const STANDARD: ReadonlyMap<string, CostRule> = new Map<string, CostRule>([
  ...named(
    'starts_with_string ends_with_string string_to_bytes bytes_to_string strings_quote string_format',
    textOfFirst,
  ),
  ['in_list', ({ args }) => sizeOf(args[1])],
  ...named('equals not_equals', smallerText),
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) =>
    named(`${name}_string ${name}_bytes`, smallerText),
  ),
  ...named('add_string add_bytes', ({ args }) => textCost(sizeOf(args[0]) + sizeOf(args[1]))),
  ['matches_string', search],
  ['contains_string', ({ args }) => textCost(sizeOf(args[0])) * textCost(sizeOf(args[1]))],
]);

function overloadRule(overload: string): CostRule | undefined {
  if (overload.endsWith('_sort')) return ({ args }) => selfCompareCost(args[0]);
  if (overload.endsWith('_sortByAssociatedKeys')) return ({ args }) => selfCompareCost(args[1]);
  return BY_OVERLOAD.get(overload);
}

/** Returns the cost of one call. `callCost` creates it; its `overload` is empty if the argument types match several overloads. */
export type CallCost = (args: readonly Value[], result: Value) => number;

export function callCost(name: string, overload: string): CallCost {
  const rules = [overloadRule(overload), BY_FUNCTION.get(name), STANDARD.get(overload)].filter(
    (rule) => rule !== undefined,
  );
  if (rules.length === 0) return () => 1;
  return (args, result) => {
    for (const rule of rules) {
      const cost = rule({ overload, args, result });
      if (cost !== undefined) return cost;
    }
    return 1;
  };
}
