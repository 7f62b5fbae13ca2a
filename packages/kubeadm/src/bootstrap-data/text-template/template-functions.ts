import { TemplateError } from './parse-template.js';

export type TemplateFunction = (operands: readonly unknown[]) => unknown;

/** Everything but false, zero, nothing and the empty. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** How a value stands in the output. */
export function printed(value: unknown): string {
  if (value === undefined || value === null) return '<no value>';
  if (typeof value !== 'object') return String(value as string | number | boolean);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${printed(member)}`).join(' ')}]`;
}

function compared(name: string, operands: readonly unknown[]): number {
  const [left, right] = operands;
  if (operands.length !== 2) throw new TemplateError(`wrong number of args for ${name}: want 2 got ${operands.length}`);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string')
    throw new TemplateError(`error calling ${name}: incompatible types for comparison`);
  return left === right ? 0 : left < right ? -1 : 1;
}

function isEqual(name: string, left: unknown, right: unknown): boolean {
  const values = [left ?? null, right ?? null];
  if (values.some((value) => typeof value === 'object' && value !== null))
    throw new TemplateError(`error calling ${name}: non-comparable type`);
  if (values[0] !== null && values[1] !== null && typeof left !== typeof right)
    throw new TemplateError(`error calling ${name}: incompatible types for comparison`);
  return values[0] === values[1];
}

function equalsAny(operands: readonly unknown[]): boolean {
  const [first, ...others] = operands;
  if (others.length === 0) throw new TemplateError('error calling eq: missing argument for comparison');
  return others.some((other) => isEqual('eq', first, other));
}

function lengthOf([value]: readonly unknown[]): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  throw new TemplateError('error calling len: the value has no length');
}

function indexed([value, ...keys]: readonly unknown[]): unknown {
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null)
      throw new TemplateError("error calling index: can't index item");
    const name = String(key as string | number);
    current = Object.hasOwn(current, name) ? (current as Record<string, unknown>)[name] : undefined;
  }
  return current;
}

function formatted([form, ...operands]: readonly unknown[]): string {
  if (typeof form !== 'string') throw new TemplateError('error calling printf: the first operand has to be a text');
  let next = 0;
  return form.replace(/%([a-z%])/g, (whole, verb: string) => {
    if (verb === '%') return '%';
    if (!'svdqt'.includes(verb)) throw new TemplateError(`error calling printf: ${whole} is not supported in files`);
    const operand = operands[next];
    next += 1;
    return verb === 'q' ? JSON.stringify(printed(operand)) : printed(operand);
  });
}

/** The functions that every Go template has, as far as there is a use for them in files. */
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['and', (operands) => operands.find((operand) => !isTrue(operand)) ?? operands.at(-1)],
  ['or', (operands) => operands.find(isTrue) ?? operands.at(-1)],
  ['not', ([operand]) => !isTrue(operand)],
  ['eq', equalsAny],
  ['ne', (operands) => !isEqual('ne', operands[0], operands[1])],
  ['lt', (operands) => compared('lt', operands) < 0],
  ['le', (operands) => compared('le', operands) <= 0],
  ['gt', (operands) => compared('gt', operands) > 0],
  ['ge', (operands) => compared('ge', operands) >= 0],
  ['len', lengthOf],
  ['index', indexed],
  ['print', (operands) => operands.map(printed).join('')],
  ['println', (operands) => `${operands.map(printed).join(' ')}\n`],
  ['printf', formatted],
]);
