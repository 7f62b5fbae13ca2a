import { cloneJson, deepEqual, setKey } from '@slipway/kube';
import { TemplateError } from '../template-error.js';
import {
  type Dictionary,
  dictionaryOf,
  isDictionary,
  isTrue,
  printed,
  type TemplateFunction,
  textOf,
} from '../template-values.js';

function dictionary(operands: readonly unknown[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let index = 0; index < operands.length; index += 2)
    setKey<unknown>(made, printed(operands[index]), operands[index + 1] ?? '');
  return made;
}

const member = (from: Dictionary, key: string): unknown => (Object.hasOwn(from, key) ? from[key] : undefined);

function picked(from: Dictionary, keep: (key: string) => boolean): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(from)) if (keep(key)) setKey<unknown>(made, key, from[key]);
  return made;
}

/** Merges dictionaries recursively. If a key occurs several times, `lastWins` decides which value is used. */
function merged(operands: readonly unknown[], name: string, lastWins: boolean): Dictionary {
  const [first, ...others] = operands.map((operand) => dictionaryOf(name, operand));
  let result: Dictionary = first ?? {};
  for (const other of others) result = lastWins ? combined(other, result) : combined(result, other);
  return result;
}

function combined(preferred: Dictionary, other: Dictionary): Dictionary {
  const made: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(other), ...Object.keys(preferred)])) {
    const [desired, rest] = [member(preferred, key), member(other, key)];
    if (isDictionary(desired) && isDictionary(rest)) setKey<unknown>(made, key, combined(desired, rest));
    else setKey<unknown>(made, key, isTrue(desired) || rest === undefined ? desired : rest);
  }
  return made;
}

function dug(operands: readonly unknown[]): unknown {
  if (operands.length < 3) throw new TemplateError('error calling dig: dig needs at least three arguments');
  const keys = operands.slice(0, -2).map((key) => textOf('dig', key));
  let current: unknown = operands.at(-1);
  for (const key of keys) {
    if (!isDictionary(current) || !Object.hasOwn(current, key)) return operands.at(-2);
    current = current[key];
  }
  return current;
}

/** Sets or removes a key. A dictionary created in the template is changed in place; input data is not changed. */
function changed([target, key, value]: readonly unknown[], name: 'set' | 'unset'): unknown {
  const holder = dictionaryOf(name, target) as Record<string, unknown>;
  if (Object.isFrozen(holder)) throw new TemplateError(`error calling ${name}: this dict cannot be changed`);
  if (name === 'set') setKey<unknown>(holder, textOf(name, key), value);
  else Reflect.deleteProperty(holder, textOf(name, key));
  return holder;
}

const firstTrue = (operands: readonly unknown[]): unknown => operands.find(isTrue);

export const dictionaryFunctions: readonly (readonly [string, TemplateFunction])[] = [
  ['dict', dictionary],
  ['get', ([from, key]) => member(dictionaryOf('get', from), textOf('get', key)) ?? ''],
  ['set', (operands) => changed(operands, 'set')],
  ['unset', (operands) => changed(operands, 'unset')],
  ['hasKey', ([from, key]) => Object.hasOwn(dictionaryOf('hasKey', from), textOf('hasKey', key))],
  ['keys', (from) => from.flatMap((each) => Object.keys(dictionaryOf('keys', each)))],
  ['values', ([from]) => Object.values(dictionaryOf('values', from))],
  ['pick', ([from, ...keys]) => picked(dictionaryOf('pick', from), (key) => keys.includes(key))],
  ['omit', ([from, ...keys]) => picked(dictionaryOf('omit', from), (key) => !keys.includes(key))],
  [
    'pluck',
    ([key, ...from]) =>
      from
        .map((each) => dictionaryOf('pluck', each))
        .filter((each) => Object.hasOwn(each, printed(key)))
        .map((each) => each[printed(key)]),
  ],
  ['merge', (operands) => merged(operands, 'merge', false)],
  ['mustMerge', (operands) => merged(operands, 'mustMerge', false)],
  ['mergeOverwrite', (operands) => merged(operands, 'mergeOverwrite', true)],
  ['mustMergeOverwrite', (operands) => merged(operands, 'mustMergeOverwrite', true)],
  ['dig', dug],
  ['deepCopy', ([value]) => cloneJson(value)],
  ['deepEqual', ([left, right]) => deepEqual(left, right)],
  ['default', ([fallback, value]) => (isTrue(value) ? value : fallback)],
  ['empty', ([value]) => !isTrue(value)],
  ['coalesce', firstTrue],
  ['all', (operands) => operands.every(isTrue)],
  ['any', (operands) => operands.some(isTrue)],
  ['ternary', ([whenTrue, whenFalse, test]) => (test === true ? whenTrue : whenFalse)],
  [
    'fail',
    ([message]) => {
      throw new TemplateError(`error calling fail: ${printed(message)}`);
    },
  ],
];
