import {
  type FieldError,
  invalidField,
  notSupported,
  requiredField,
  tooLong,
  tooMany,
  wrongType,
} from '../../errors/index.js';
import { canonicalJson, type JsonValue } from '../../json/index.js';
import type { Walker } from './walker.js';

/** Reports a wrong type. This and the functions below have the messages of schema validation: `name in body <problem>`. */
export function failType(walker: Walker, expected: string, found: string): void {
  const text = `${walker.name()} in body must be of type ${expected}: ${JSON.stringify(found)}`;
  walker.errors.push(wrongType(walker.field(), found, text));
}

export function failBody(walker: Walker, value: JsonValue, problem: string): void {
  walker.errors.push(invalidField(walker.field(), value, `${walker.name()} in body ${problem}`));
}

/** Reports an error that in upstream has no field, with the path only in the message. */
export function failPlain(walker: Walker, text: string): void {
  walker.errors.push(invalidField(walker.root(), '', text));
}

export function failEnum(walker: Walker, value: JsonValue, allowed: readonly JsonValue[]): void {
  const texts = allowed.map((item) => (typeof item === 'string' ? item : canonicalJson(item)));
  walker.errors.push(notSupported(walker.field(), value, texts));
}

export function failRequired(walker: Walker, key: string): void {
  walker.enter(key);
  const error: FieldError = requiredField(walker.field());
  walker.leave();
  walker.errors.push(error);
}

export function failTooLong(walker: Walker, max: number): void {
  walker.errors.push(tooLong(walker.field(), max));
}

export function failTooMany(walker: Walker, actual: number, max: number): void {
  walker.errors.push(tooMany(walker.field(), actual, max));
}
