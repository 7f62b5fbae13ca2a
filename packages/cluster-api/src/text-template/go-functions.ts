import { deepEqual } from '@slipway/kube';
import { formatted } from './format-text.js';
import { TemplateError } from './template-error.js';
import {
  isDictionary,
  isTrue,
  printed,
  type TemplateFunctions,
  type TemplateFunction,
  wants,
} from './template-values.js';

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function compared(name: string, operands: readonly unknown[]): number {
  wants(name, operands, 2);
  const [left, right] = operands;
  const comparable = (isNumber(left) && isNumber(right)) || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) throw new TemplateError(`error calling ${name}: incompatible types for comparison`);
  // An integer and a float of the same value are equal. Go rejects this comparison.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function isEqual(name: string, left: unknown, right: unknown): boolean {
  const values = [left ?? null, right ?? null];
  if (values.some((value) => typeof value === 'object' && value !== null))
    throw new TemplateError(`error calling ${name}: non-comparable type`);
  if (values.includes(null)) return values[0] === values[1];
  if (isNumber(left) && isNumber(right)) return deepEqual(left, right);
  if (typeof left !== typeof right) throw new TemplateError(`error calling ${name}: incompatible types for comparison`);
  return left === right;
}

function equalsAny(operands: readonly unknown[]): boolean {
  const [first, ...others] = operands;
  if (others.length === 0) throw new TemplateError('error calling eq: missing argument for comparison');
  return others.some((other) => isEqual('eq', first, other));
}

function lengthOf(operands: readonly unknown[]): bigint {
  wants('len', operands, 1);
  const [value] = operands;
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (typeof value === 'object' && value !== null) return BigInt(Object.keys(value).length);
  throw new TemplateError('error calling len: the value has no length');
}

function indexed([value, ...keys]: readonly unknown[]): unknown {
  let current = value;
  for (const key of keys) current = member(current, key);
  return current;
}

function member(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    const index = isNumber(key) ? Number(key) : Number.NaN;
    if (!Number.isInteger(index) || index < 0 || index >= value.length)
      throw new TemplateError(`error calling index: index out of range: ${printed(key)}`);
    return value[index] as unknown;
  }
  if (!isDictionary(value)) throw new TemplateError("error calling index: can't index item");
  const name = printed(key);
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function sliced([value, from, to]: readonly unknown[]): unknown {
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new TemplateError("error calling slice: can't slice item");
  const start = from === undefined ? 0 : Number(from);
  const end = to === undefined ? value.length : Number(to);
  if (!(start >= 0 && start <= end && end <= value.length))
    throw new TemplateError('error calling slice: index out of range');
  return value.slice(start, end);
}

const entries: readonly (readonly [string, TemplateFunction])[] = [
  ['not', ([operand]) => !isTrue(operand)],
  ['eq', equalsAny],
  ['ne', (operands) => !isEqual('ne', operands[0], operands[1])],
  ['lt', (operands) => compared('lt', operands) < 0],
  ['le', (operands) => compared('le', operands) <= 0],
  ['gt', (operands) => compared('gt', operands) > 0],
  ['ge', (operands) => compared('ge', operands) >= 0],
  ['len', lengthOf],
  ['index', indexed],
  ['slice', sliced],
  ['print', (operands) => operands.map((operand) => printed(operand, '<nil>')).join('')],
  ['println', (operands) => `${operands.map((operand) => printed(operand, '<nil>')).join(' ')}\n`],
  ['printf', formatted],
  ['html', ([text]) => printed(text).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)],
  ['urlquery', ([text]) => encodeURIComponent(printed(text)).replaceAll('%20', '+')],
];

/** The built-in functions of Go templates. The renderer implements `and` and `or`, which short-circuit. */
export const goFunctions: TemplateFunctions = new Map(entries);
