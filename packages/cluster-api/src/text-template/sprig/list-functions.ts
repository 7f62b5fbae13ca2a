import { deepEqual } from '@slipway/kube';
import { TemplateError } from '../template-error.js';
import { bounded, integerOf, isTrue, listOf, printed, type TemplateFunction, textOf } from '../template-values.js';

const itemsMax = 10_000;

function numbers(name: string, from: bigint, to: bigint, step: bigint): bigint[] {
  if (step === 0n || (to - from) / step > BigInt(itemsMax))
    throw new TemplateError(`error calling ${name}: the result would have more than ${itemsMax} numbers`);
  const found: bigint[] = [];
  for (let value = from; step > 0n ? value < to : value > to; value += step) found.push(value);
  return found;
}

function joined([separator, value]: readonly unknown[]): string {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  const texts = items.filter((item) => item !== undefined && item !== null).map((item) => printed(item));
  const result = texts.join(textOf('join', separator));
  bounded('join', result.length);
  return result;
}

/** Returns parts keyed by `_0`, `_1` and so on, as in sprig. */
function splitParts(parts: readonly string[]): Record<string, string> {
  return Object.fromEntries(parts.map((part, index) => [`_${index}`, part]));
}

function splitTimes(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator);
  if (count <= 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function unique(items: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  for (const item of items) if (!found.some((other) => deepEqual(other, item))) found.push(item);
  return found;
}

function chunks(items: readonly unknown[], size: number): unknown[][] {
  if (size < 1) throw new TemplateError('error calling chunk: the size must be positive');
  const found: unknown[][] = [];
  for (let from = 0; from < items.length; from += size) found.push(items.slice(from, from + size));
  return found;
}

function part(items: readonly unknown[], from: unknown, to: unknown): unknown[] {
  const start = Number(integerOf(from ?? 0));
  const end = to === undefined ? items.length : Number(integerOf(to));
  if (start < 0 || end > items.length || start > end)
    throw new TemplateError('error calling slice: index out of range');
  return items.slice(start, end);
}

const onList = (name: string, change: (items: readonly unknown[], operands: readonly unknown[]) => unknown) =>
  [name, ([list, ...operands]: readonly unknown[]) => change(listOf(name, list), operands)] as const;

export const listFunctions: readonly (readonly [string, TemplateFunction])[] = [
  ['list', (operands) => [...operands]],
  ['tuple', (operands) => [...operands]],
  ['join', joined],
  ['split', ([separator, text]) => splitParts(textOf('split', text).split(textOf('split', separator)))],
  [
    'splitn',
    ([separator, count, text]) =>
      splitParts(splitTimes(textOf('splitn', text), textOf('splitn', separator), Number(integerOf(count)))),
  ],
  ['splitList', ([separator, text]) => textOf('splitList', text).split(textOf('splitList', separator))],
  ['toStrings', ([value]) => (Array.isArray(value) ? value : [value]).map((item) => printed(item, ''))],
  ['sortAlpha', ([value]) => (Array.isArray(value) ? value.map((item) => printed(item)).sort() : [printed(value)])],
  onList('first', (items) => items[0]),
  onList('last', (items) => items.at(-1)),
  onList('rest', (items) => items.slice(1)),
  onList('initial', (items) => items.slice(0, -1)),
  onList('append', (items, [item]) => [...items, item]),
  onList('push', (items, [item]) => [...items, item]),
  onList('prepend', (items, [item]) => [item, ...items]),
  onList('reverse', (items) => items.toReversed()),
  onList('uniq', unique),
  onList('compact', (items) => items.filter(isTrue)),
  onList('without', (items, unwanted) => items.filter((item) => !unwanted.some((other) => deepEqual(other, item)))),
  ['concat', (lists) => lists.flatMap((list) => listOf('concat', list))],
  ['has', ([item, list]) => Array.isArray(list) && list.some((other) => deepEqual(other, item))],
  ['chunk', ([size, list]) => chunks(listOf('chunk', list), Number(integerOf(size)))],
  onList('slice', (items, [from, to]) => part(items, from, to)),
  ['until', ([count]) => numbers('until', 0n, integerOf(count), integerOf(count) < 0n ? -1n : 1n)],
  ['untilStep', ([from, to, step]) => numbers('untilStep', integerOf(from), integerOf(to), integerOf(step))],
];
