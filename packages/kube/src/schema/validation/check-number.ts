import { formatGoFloat } from '../../text/go-format.js';
import type { Plan } from '../model/plan.js';
import { failBody, failPlain } from './messages.js';
import type { Walker } from './walker.js';

const int32Max = 2 ** 31 - 1;
const int32Min = -(2 ** 31);
const float32Max = 3.4028234663852886e38;

type Value = number | bigint;

/** Validates the range of a number's type, then multipleOf, minimum and maximum, with upstream's messages. */
export function checkNumber(walker: Walker, plan: Plan, value: Value, isInteger: boolean): void {
  walker.matches += 2;
  if (!plan.hasNumberLimits) return;
  checkRange(walker, plan, value, isInteger, 'Checked');
  const { multipleOf, minimum, maximum } = plan.schema;
  if (multipleOf !== undefined) checkMultiple(walker, plan, value, isInteger, multipleOf);
  if (minimum !== undefined) checkMinimum(walker, plan, value, isInteger, minimum);
  if (maximum !== undefined) checkMaximum(walker, plan, value, isInteger, maximum);
}

/** Checks that a value or a bound is in the range of the type and format. */
function checkRange(walker: Walker, plan: Plan, value: Value, isInteger: boolean, subject: string): boolean {
  if (fitsType(plan, value, isInteger)) return true;
  const format = plan.format === '' ? '(default format)' : `with format ${plan.format}`;
  failPlain(walker, `${subject} value must be of type ${plan.onlyType} ${format} in ${walker.name()}`);
  return false;
}

function fitsType(plan: Plan, value: Value, isInteger: boolean): boolean {
  if (plan.onlyType === 'integer') {
    return isInteger && (plan.format !== 'int32' || (value <= int32Max && value >= int32Min));
  }
  return plan.format !== 'float' || (value <= float32Max && value >= -float32Max);
}

/**
 * Converts a bound to the type of the value. Integers are compared with integer bounds, like int64 in Go, unless the bound is out
 * of the range of the node's type.
 */
function nativeBound(walker: Walker, plan: Plan, bound: number, isInteger: boolean, subject: string): number {
  const fits = checkRange(walker, plan, bound, Number.isInteger(bound), subject);
  return fits && isInteger ? Math.trunc(bound) : bound;
}

function checkMultiple(walker: Walker, plan: Plan, value: Value, isInteger: boolean, multipleOf: number): void {
  const factor = nativeBound(walker, plan, multipleOf, isInteger, 'MultipleOf');
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${walker.name()} must be positive: ${factor}`;
    walker.errors.push({
      reason: 'FieldValueInvalid',
      field: walker.field(),
      message: `Invalid value: ${factor}: ${text}`,
    });
  } else if (!isMultiple(value, factor)) {
    failBody(walker, value, `should be a multiple of ${formatBound(factor, isInteger)}`);
  }
}

function isMultiple(value: Value, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n;
  if (Number.isInteger(value) && Number.isInteger(factor)) return Number(value) % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  // Division of decimal fractions is inexact, so a quotient that is an integer up to rounding errors counts as an integer.
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 1e-9;
}

function checkMinimum(walker: Walker, plan: Plan, value: Value, isInteger: boolean, minimum: number): void {
  const bound = nativeBound(walker, plan, minimum, isInteger, 'Minimum boundary');
  const exclusive = plan.schema.exclusiveMinimum === true;
  if (exclusive ? value > bound : value >= bound) return;
  const relation = exclusive ? 'greater than' : 'greater than or equal to';
  failBody(walker, value, `should be ${relation} ${formatBound(bound, isInteger)}`);
}

function checkMaximum(walker: Walker, plan: Plan, value: Value, isInteger: boolean, maximum: number): void {
  const bound = nativeBound(walker, plan, maximum, isInteger, 'Maximum boundary');
  const exclusive = plan.schema.exclusiveMaximum === true;
  if (exclusive ? value < bound : value <= bound) return;
  const relation = exclusive ? 'less than' : 'less than or equal to';
  failBody(walker, value, `should be ${relation} ${formatBound(bound, isInteger)}`);
}

function formatBound(bound: number, isInteger: boolean): string {
  return isInteger && Number.isInteger(bound) ? BigInt(bound).toString() : formatGoFloat(bound);
}
