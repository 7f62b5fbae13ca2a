import type { CelType } from '../types/index.js';
import { sameType } from '../types/index.js';
import { fixed, type Interval, plus, scaled, times, UNBOUNDED, unknownSize } from './interval.js';
import { LIST_COST, REGEX_FACTOR, STRUCT_COST, TEXT_FACTOR } from './runtime-cost.js';

/** What is known about an argument at compile time. */
export interface EstimatedNode {
  readonly type: CelType;
  readonly size: Interval;
  /** The size of the elements, if the argument is a list from the data. */
  readonly elementSize: Interval;
  /** The value of an int literal. */
  readonly literal: bigint | undefined;
}

export interface CallEstimate {
  readonly cost: Interval;
  /** The size of the result, if it has one. */
  readonly size?: Interval;
}

interface EstimatedCall {
  readonly overload: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
}

type Estimate = (call: EstimatedCall) => CallEstimate | undefined;

const CHECK_COST = 350_000;
const FORMAT_REGEX_SIZE = 128;
const FORMAT_SIZE_MAX = 64;

const one: Estimate = () => ({ cost: fixed(1) });

function text(size: Interval): Interval {
  return scaled(size, TEXT_FACTOR);
}

function onFirst(estimate: (arg: EstimatedNode, call: EstimatedCall) => CallEstimate | undefined): Estimate {
  return (call) => (call.args[0] === undefined ? undefined : estimate(call.args[0], call));
}

function onTarget(estimate: (target: EstimatedNode, call: EstimatedCall) => CallEstimate | undefined): Estimate {
  return (call) => (call.target === undefined ? undefined : estimate(call.target, call));
}

const parseFirst = onFirst((arg) => ({ cost: text(arg.size) }));
const parseFirstSized = onFirst((arg) => ({ cost: text(arg.size), size: arg.size }));
const readTarget = onTarget((target) => ({ cost: text(target.size), size: target.size }));

const selector = onFirst((arg) => {
  const requirements = scaled(scaled(arg.size, 0.5), LIST_COST + STRUCT_COST);
  return { cost: plus(fixed(LIST_COST), text(arg.size), requirements) };
});

const traversal = onTarget((target) => {
  const element = target.type.parameters[0];
  if (element === undefined) return { cost: text(target.size) };
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const each = isText ? plus(fixed(1), text(target.elementSize)) : fixed(1);
  return { cost: times(target.size, each) };
});

const replace = onTarget((target, { args }) => {
  const [old, replacement] = args;
  if (old === undefined || replacement === undefined) return undefined;
  const longest = replaced(target.size.max, old.size.min, replacement.size.max <= old.size.min);
  const shortest = replaced(target.size.min, old.size.max, old.size.max <= replacement.size.min);
  const size = {
    min: Math.min(shortest.count * replacement.size.min + shortest.kept, UNBOUNDED),
    max: Math.min(longest.count * replacement.size.max + longest.kept, UNBOUNDED),
  };
  return { cost: scaled(target.size, 2 * TEXT_FACTOR), size };
});

/** Returns the number of replacements and the length of the kept text, for the minimum or the maximum size. */
function replaced(size: number, old: number, keepsLength: boolean): { readonly count: number; readonly kept: number } {
  if (old === 0) return { count: size + 1, kept: size };
  return keepsLength ? { count: 0, kept: size } : { count: Math.ceil(size / old), kept: 0 };
}

const split = onTarget((target, { args }) => {
  const limit = args[1]?.literal;
  const most = limit === undefined ? target.size.max : limit < 0n ? UNBOUNDED : Number(limit);
  return { cost: scaled(target.size, 2 * TEXT_FACTOR), size: { min: 0, max: most } };
});

const join = onTarget((target, { args }) => {
  const items = target.type.parameters.length > 0 ? times(target.size, target.elementSize) : fixed(0);
  const separators = { min: Math.max(0, target.size.min - 1), max: Math.max(0, target.size.max - 1) };
  const size = args[0] === undefined ? items : plus(items, times(args[0].size, separators));
  return { cost: text(size), size };
});

function regex(subject: Interval, pattern: Interval): Interval {
  return times(text(plus(subject, fixed(1))), scaled(pattern, REGEX_FACTOR));
}

const find = onTarget((target, { args }) =>
  args[0] === undefined
    ? undefined
    : { cost: regex(target.size, args[0].size), size: { min: 0, max: target.size.max } },
);

const ADDRESS_SIZE: Interval = { min: 4, max: 16 };

const containsIp = onFirst((arg, { overload }) => {
  const compare = text(plus(ADDRESS_SIZE, ADDRESS_SIZE));
  return { cost: overload === 'cidr_contains_ip_string' ? plus(compare, text(arg.size)) : compare };
});

const containsCidr = onFirst((arg, { overload }) => {
  const compare = plus(text(plus(ADDRESS_SIZE, ADDRESS_SIZE)), text(ADDRESS_SIZE), fixed(1));
  return { cost: overload === 'cidr_contains_cidr_string' ? plus(compare, text(arg.size)) : compare };
});

const validate = onFirst((arg) => ({ cost: scaled(text(arg.size), FORMAT_REGEX_SIZE * REGEX_FACTOR) }));

/** Estimates a comparison of library types, which takes one step. */
const opaqueEquality: Estimate = ({ args }) => {
  const [left, right] = args;
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: FORMAT_SIZE_MAX }, TEXT_FACTOR) };
  if (name === 'kubernetes.URL') return { cost: scaled({ min: 1, max: right.size.max }, TEXT_FACTOR) };
  const isConstant = /^(net\.|kubernetes\.(Quantity|Semver|authorization\.))/.test(name);
  return isConstant ? { cost: fixed(1) } : undefined;
};

function newList(factor: number, size: Interval): CallEstimate {
  return { cost: plus(scaled(size, factor), fixed(1 + LIST_COST)), size };
}

function literalOr(node: EstimatedNode | undefined, otherwise: number): number {
  if (node?.literal === undefined) return otherwise;
  return node.literal < 0n ? 0 : Number(node.literal);
}

/**
 * Returns the size of a slice. Like upstream, which subtracts unsigned integers, a slice that ends before its start has the
 * maximum size.
 */
function sliceSize(start: number, end: number): number {
  return end < start ? UNBOUNDED : end - start;
}

const sets =
  (factor: number): Estimate =>
  ({ args }) =>
    args[0] === undefined || args[1] === undefined
      ? undefined
      : { cost: plus(scaled(times(args[0].size, args[1].size), factor), fixed(1)) };

const sorted = (node: EstimatedNode | undefined, overload: string): CallEstimate | undefined => {
  if (node === undefined) return undefined;
  const isText = overload.startsWith('list_string_') || overload.startsWith('list_bytes_');
  return newList(isText ? 2 + TEXT_FACTOR : 2, times(node.size, node.size));
};

const BY_OVERLOAD: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  [
    'list_slice',
    onTarget((target, { args }) =>
      newList(1, fixed(sliceSize(literalOr(args[0], 0), literalOr(args[1], target.size.max)))),
    ),
  ],
  ['lists_range', onFirst((arg) => newList(1, fixed(literalOr(arg, UNBOUNDED))))],
  ['list_reverse', onTarget((target) => newList(1, target.size))],
  ['list_flatten', onTarget((target) => newList(1, target.size))],
  ['list_flatten_int', onTarget((target, { args }) => newList(literalOr(args[0], UNBOUNDED), target.size))],
  ['list_distinct', onTarget((target) => newList(2, times(target.size, target.size)))],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
]);

function named(names: string, estimate: Estimate): readonly (readonly [string, Estimate])[] {
  return names.split(' ').map((name) => [name, estimate] as const);
}

const BY_FUNCTION: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', () => ({ cost: fixed(CHECK_COST) })],
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...named('fieldSelector labelSelector', selector),
  ...named('isSorted sum max min indexOf lastIndexOf', traversal),
  ...named('url jsonpatch.escapeKey', parseFirstSized),
  ...named('lowerAscii upperAscii substring trim', readTarget),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...named('find findAll', find),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', parseFirst),
  ['ip', (call) => (call.overload === 'cidr_ip' ? { cost: fixed(1) } : parseFirst(call))],
  ['ip.isCanonical', onFirst((arg) => ({ cost: scaled(arg.size, 2 * TEXT_FACTOR) }))],
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
  ['_==_', opaqueEquality],
]);

const smallerText: Estimate = ({ args }) => {
  const smallest = Math.min(args[0]?.size.max ?? UNBOUNDED, args[1]?.size.max ?? UNBOUNDED);
  return { cost: text({ min: smallest > 0 ? 1 : 0, max: smallest }) };
};

const concatenation =
  (costs: (size: Interval) => Interval): Estimate =>
  ({ args }) => {
    const size = plus(args[0]?.size ?? unknownSize, args[1]?.size ?? unknownSize);
    return { cost: costs(size), size };
  };

const STANDARD: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', onTarget((target) => ({ cost: text(target.size) }))],
  [
    'string_to_bytes',
    onFirst((arg) => ({
      cost: text(arg.size),
      size: { min: arg.size.min, max: Math.min(arg.size.max * 4, UNBOUNDED) },
    })),
  ],
  [
    'bytes_to_string',
    onFirst((arg) => ({ cost: text(arg.size), size: { min: Math.trunc(arg.size.min / 4), max: arg.size.max } })),
  ],
  [
    'strings_quote',
    onFirst((arg) => ({
      cost: text(arg.size),
      size: { min: arg.size.min + 2, max: Math.min(arg.size.max * 2 + 2, UNBOUNDED) },
    })),
  ],
  ...named(
    'starts_with_string ends_with_string',
    onFirst((arg) => ({ cost: text(arg.size) })),
  ),
  ['in_list', ({ args }) => ({ cost: args[1]?.size ?? unknownSize })],
  ['matches_string', onTarget((target, { args }) => ({ cost: regex(target.size, args[0]?.size ?? unknownSize) }))],
  [
    'contains_string',
    onTarget((target, { args }) => ({ cost: times(text(target.size), text(args[0]?.size ?? unknownSize)) })),
  ],
  ...named('add_string add_bytes', concatenation(text)),
  ['add_list', concatenation(() => fixed(1))],
  ...named('equals not_equals', smallerText),
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) =>
    named(`${name}_string ${name}_bytes`, smallerText),
  ),
]);

/** Estimates the cost of one call without its arguments. */
export function estimateCall(
  name: string,
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
): CallEstimate {
  const call: EstimatedCall = { overload, target, args };
  const own = overloadEstimate(call) ?? BY_FUNCTION.get(name)?.(call) ?? STANDARD.get(overload)?.(call);
  return own ?? { cost: fixed(1) };
}

function overloadEstimate(call: EstimatedCall): CallEstimate | undefined {
  if (call.overload.endsWith('_sort')) return sorted(call.target, call.overload);
  if (call.overload.endsWith('_sortByAssociatedKeys')) return sorted(call.args[0], call.overload);
  return BY_OVERLOAD.get(call.overload)?.(call);
}
