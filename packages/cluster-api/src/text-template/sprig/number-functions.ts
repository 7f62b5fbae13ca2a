import { TemplateError } from '../template-error.js';
import { floatOf, integerOf, type TemplateFunction } from '../template-values.js';

const total = (operands: readonly unknown[], join: (left: bigint, right: bigint) => bigint): bigint => {
  const [first = 0n, ...others] = operands.map(integerOf);
  return others.reduce(join, first);
};

function divided(name: string, left: bigint, right: bigint): bigint {
  if (right === 0n) throw new TemplateError(`error calling ${name}: integer divide by zero`);
  return name === 'mod' ? left % right : left / right;
}

function rounded([value, places, on]: readonly unknown[]): number {
  const factor = 10 ** Number(integerOf(places));
  const scaled = floatOf(value) * factor;
  const threshold = on === undefined ? 0.5 : floatOf(on);
  const fraction = Math.abs(scaled % 1);
  return (fraction >= threshold ? Math.ceil(scaled) : Math.floor(scaled)) / factor;
}

export const numberFunctions: readonly (readonly [string, TemplateFunction])[] = [
  ['int', ([value]) => integerOf(value)],
  ['int64', ([value]) => integerOf(value)],
  ['atoi', ([value]) => integerOf(value)],
  ['float64', ([value]) => floatOf(value)],
  ['add', (operands) => total(operands, (left, right) => left + right)],
  ['add1', ([value]) => integerOf(value) + 1n],
  ['sub', (operands) => total(operands, (left, right) => left - right)],
  ['mul', (operands) => total(operands, (left, right) => left * right)],
  ['div', ([left, right]) => divided('div', integerOf(left), integerOf(right))],
  ['mod', ([left, right]) => divided('mod', integerOf(left), integerOf(right))],
  ['max', (operands) => total(operands, (left, right) => (left > right ? left : right))],
  ['biggest', (operands) => total(operands, (left, right) => (left > right ? left : right))],
  ['min', (operands) => total(operands, (left, right) => (left < right ? left : right))],
  ['maxf', (operands) => Math.max(...operands.map(floatOf))],
  ['minf', (operands) => Math.min(...operands.map(floatOf))],
  ['addf', (operands) => operands.map(floatOf).reduce((left, right) => left + right, 0)],
  ['subf', ([first, ...others]) => others.map(floatOf).reduce((left, right) => left - right, floatOf(first))],
  ['mulf', (operands) => operands.map(floatOf).reduce((left, right) => left * right, 1)],
  ['divf', ([first, ...others]) => others.map(floatOf).reduce((left, right) => left / right, floatOf(first))],
  ['ceil', ([value]) => Math.ceil(floatOf(value))],
  ['floor', ([value]) => Math.floor(floatOf(value))],
  ['round', rounded],
  ['toDecimal', ([value]) => BigInt(Number.parseInt(String(value as string), 8) || 0)],
];
