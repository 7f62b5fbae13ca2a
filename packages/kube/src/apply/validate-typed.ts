import type { JsonObject, JsonValue } from '../json/index.js';
import type { FieldType, ListType, MapType, ScalarType } from './field-type.js';
import { formOf, isList, isMap } from './forms.js';
import { formatPlain, formatSource, formatTypeName } from './go-format.js';
import { keyOrProblem } from './list-items.js';
import { fieldKey, formatPathElement, type PathKey } from './path-key.js';
import type { TypedProblem } from './typed-error.js';

/**
 * What keeps an applied configuration from being merged: undeclared fields, values of another type, items without or with
 * equal keys. Such a configuration is refused as a whole, whatever field validation asks for.
 */
export function validateTyped(value: JsonValue, type: FieldType): TypedProblem[] {
  const problems: TypedProblem[] = [];
  validate(value, type, '', problems);
  return problems;
}

function validate(value: JsonValue, type: FieldType, path: string, problems: TypedProblem[]): void {
  switch (formOf(type, value)) {
    case 'map':
      validateMap(value, type.map as MapType, path, problems);
      break;
    case 'list':
      validateList(value, type.list as ListType, path, problems);
      break;
    default:
      validateScalar(value, type.scalar as ScalarType, path, problems);
  }
}

function validateMap(value: JsonValue, map: MapType, path: string, problems: TypedProblem[]): void {
  if (value === null) return;
  if (!isMap(value)) {
    problems.push({ path, message: `expected map, got &{${formatPlain(value)}}` });
    return;
  }
  for (const name of Object.keys(value as JsonObject)) {
    const child = value[name];
    if (child === undefined) continue;
    const childType = map.field(name)?.type ?? map.element;
    const childPath = path + formatPathElement(fieldKey(name));
    if (childType === undefined) {
      problems.push({ path: childPath, message: 'field not declared in schema' });
      return;
    }
    validate(child, childType, childPath, problems);
  }
}

function validateList(value: JsonValue, list: ListType, path: string, problems: TypedProblem[]): void {
  if (value === null) return;
  if (!isList(value)) {
    problems.push({ path, message: `expected list, got &{${formatPlain(value)}}` });
    return;
  }
  const seen = new Set<PathKey>();
  for (const [index, item] of value.entries()) {
    if (list.keys === undefined) {
      validate(item, list.element, `${path}[${index}]`, problems);
      continue;
    }
    const key = keyOrProblem(list, item);
    if (typeof key !== 'string') {
      problems.push({ path, message: `element ${index}: ${key.problem}` });
      return;
    }
    const element = formatPathElement(key);
    if (seen.has(key)) problems.push({ path, message: `duplicate entries for key ${element}` });
    seen.add(key);
    validate(item, list.element, path + element, problems);
  }
}

function validateScalar(value: JsonValue, scalar: ScalarType, path: string, problems: TypedProblem[]): void {
  const message = value === null ? undefined : scalarProblem(value, scalar);
  if (message !== undefined) problems.push({ path, message });
}

function scalarProblem(value: JsonValue, scalar: ScalarType): string | undefined {
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined;
      return `expected numeric (int or float), got ${formatTypeName(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${formatSource(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${formatPlain(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${formatPlain(value)}}` : undefined;
  }
}
