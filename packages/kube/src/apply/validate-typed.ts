import type { JsonValue } from '../json/index.js';
import type { FieldType, ListType, MapType, ScalarType } from './field-type.js';
import { formOf, isList, isMap } from './forms.js';
import { formatGoValue, formatGoSource, goTypeOf } from '../text/go-format.js';
import { keyOrProblem } from './list-items.js';
import { fieldKey, formatPathElement, type PathKey } from './path-key.js';
import type { TypedProblem } from './typed-error.js';

/**
 * Validates that an applied configuration can be merged: no undeclared fields, no values of another type, and no items with
 * missing or duplicate keys. Otherwise the whole configuration is rejected, independent of fieldValidation.
 */
export function validateTyped(value: JsonValue, type: FieldType): TypedProblem[] {
  const validation: Validation = { path: [], problems: [] };
  validate(value, type, validation);
  return validation.problems;
}

interface Validation {
  /** The current path, formatted only for an error. */
  readonly path: (PathKey | number)[];
  readonly problems: TypedProblem[];
}

function report({ path, problems }: Validation, message: string): void {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : formatPathElement(step))).join('');
  problems.push({ path: text, message });
}

function validate(value: JsonValue, type: FieldType, validation: Validation): void {
  switch (formOf(type, value)) {
    case 'map':
      validateMap(value, type.map as MapType, validation);
      break;
    case 'list':
      validateList(value, type.list as ListType, validation);
      break;
    default:
      validateScalar(value, type.scalar as ScalarType, validation);
  }
}

function validateMap(value: JsonValue, map: MapType, validation: Validation): void {
  if (value === null) return;
  if (!isMap(value)) {
    report(validation, `expected map, got &{${formatGoValue(value)}}`);
    return;
  }
  for (const name of Object.keys(value)) {
    const child = value[name];
    if (child === undefined) continue;
    const member = map.field(name);
    const type = member?.type ?? map.element;
    validation.path.push(member?.key ?? fieldKey(name));
    if (type === undefined) report(validation, 'field not declared in schema');
    else validate(child, type, validation);
    validation.path.pop();
    // Like upstream, stop at the first unknown field of a map.
    if (type === undefined) return;
  }
}

function validateList(value: JsonValue, list: ListType, validation: Validation): void {
  if (value === null) return;
  if (!isList(value)) {
    report(validation, `expected list, got &{${formatGoValue(value)}}`);
    return;
  }
  if (list.keys === undefined) {
    for (const [index, item] of value.entries()) validateItem(item, index, list, validation);
    return;
  }
  const seen = new Set<PathKey>();
  for (const [index, item] of value.entries()) {
    const key = keyOrProblem(list, item);
    if (typeof key !== 'string') {
      report(validation, `element ${index}: ${key.problem}`);
      return;
    }
    if (seen.has(key)) report(validation, `duplicate entries for key ${formatPathElement(key)}`);
    seen.add(key);
    validateItem(item, key, list, validation);
  }
}

function validateItem(item: JsonValue, step: PathKey | number, list: ListType, validation: Validation): void {
  validation.path.push(step);
  validate(item, list.element, validation);
  validation.path.pop();
}

function validateScalar(value: JsonValue, scalar: ScalarType, validation: Validation): void {
  const message = value === null ? undefined : scalarProblem(value, scalar);
  if (message !== undefined) report(validation, message);
}

function scalarProblem(value: JsonValue, scalar: ScalarType): string | undefined {
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined;
      return `expected numeric (int or float), got ${goTypeOf(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${formatGoSource(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${formatGoValue(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${formatGoValue(value)}}` : undefined;
  }
}
