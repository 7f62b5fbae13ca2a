import { deepEqual, type JsonValue } from '../../json/index.js';
import { type JsonKind, jsonKind, jsonKindName } from '../model/json-kind.js';
import type { Plan } from '../model/plan.js';
import { failBody, failEnum, failTooLong, failType } from './messages.js';
import type { Walker } from './walker.js';

export function checkNull(walker: Walker, plan: Plan): void {
  if (plan.typeText === '' || plan.nullable) walker.matches += 1;
  else failType(walker, plan.typeText, 'null');
  checkEnum(walker, plan, null);
}

export function checkType(walker: Walker, plan: Plan, kind: JsonKind): void {
  if (plan.typeText === '' && plan.format === '') return;
  walker.matches += 1;
  if ((plan.accepts & kind) !== 0 || (plan.typeText === '' && kind === jsonKind.string)) {
    walker.matches += 1;
    return;
  }
  // If the node has a format, the message contains formats instead of types, unless the value is a string or a list.
  const byFormat = plan.format !== '' && kind !== jsonKind.string && kind !== jsonKind.array;
  if (byFormat) failType(walker, plan.format, formatOfKind(kind));
  else failType(walker, plan.typeText, jsonKindName(kind));
}

function formatOfKind(kind: JsonKind): string {
  if (kind === jsonKind.integer) return 'int64';
  return kind === jsonKind.number ? 'float64' : '';
}

export function checkEnum(walker: Walker, plan: Plan, value: JsonValue): void {
  const allowed = plan.enumStrings;
  if (allowed === undefined) return;
  if (typeof value === 'string' && allowed.has(value)) return;
  const values = plan.schema.enum ?? [];
  if (values.some((item) => deepEqual(item, value))) return;
  failEnum(walker, value, values);
}

/** Validates the length before the pattern, and reports only the first error of a string. */
export function checkString(walker: Walker, plan: Plan, value: string): void {
  walker.matches += 1;
  if (!plan.hasStringLimits || checkLength(walker, plan, value)) checkPattern(walker, plan, value);
  if (plan.formatCheck === undefined) return;
  walker.matches += 1;
  if (!plan.formatCheck(value)) {
    // Like upstream, report an invalid format as a wrong type.
    failFormat(walker, plan.format, value);
  }
}

function failFormat(walker: Walker, format: string, value: string): void {
  failType(walker, format, value);
}

function checkLength(walker: Walker, plan: Plan, value: string): boolean {
  const { maxLength, minLength } = plan.schema;
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
    failTooLong(walker, maxLength);
    return false;
  }
  if (minLength !== undefined && (value.length < minLength || codePoints(value) < minLength)) {
    failBody(walker, value, `should be at least ${minLength} chars long`);
    return false;
  }
  return true;
}

/** Counts code points, not UTF-16 code units. */
function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text, index + 1)) index += 1;
    count += 1;
  }
  return count;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

function checkPattern(walker: Walker, plan: Plan, value: string): void {
  if (plan.pattern === undefined) return;
  if ('error' in plan.pattern) {
    const text = `should match '${plan.schema.pattern}, but pattern is invalid: ${plan.pattern.error}'`;
    failBody(walker, value, text);
  } else if (!plan.pattern.matcher.test(value)) {
    failBody(walker, value, `should match '${plan.schema.pattern}'`);
  }
}
