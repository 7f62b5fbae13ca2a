import { duplicateField, type FieldError, invalidField } from '../../errors/index.js';
import { canonicalJson, type JsonArray, type JsonObject, type JsonValue } from '../../json/index.js';
import { isJsonArray, isJsonObject } from '../model/json-kind.js';
import { getOwn } from '../model/own-property.js';
import { type Plan, planOf } from '../model/plan.js';
import { traitsOf } from '../model/traits.js';
import type { Schema } from '../schema.js';
import { depthMax } from './walker.js';

/** Rejects duplicate values in sets and duplicate keys in map lists. Reports only the second occurrence of a value. */
export function validateListTypes(schema: Schema, value: JsonValue, shared?: JsonValue): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, value, '', 0, errors, shared);
  return errors;
}

/** Validates a value and the values below it. Skips values that are identical to those in `shared`. */
function visit(
  schema: Schema,
  value: JsonValue,
  path: string,
  depth: number,
  errors: FieldError[],
  shared?: JsonValue,
): void {
  if (typeof value !== 'object' || value === null || value === shared || depth > depthMax) return;
  if (!traitsOf(schema).uniqueLists) return;
  if (isJsonArray(value)) visitList(schema, value, path, depth, errors);
  else visitObject(planOf(schema), value as JsonObject, path, depth, errors, shared);
}

function visitObject(
  plan: Plan,
  value: JsonObject,
  path: string,
  depth: number,
  errors: FieldError[],
  shared?: JsonValue,
): void {
  for (const key in value) {
    const item = value[key];
    if (typeof item !== 'object' || item === null) continue;
    const property = plan.propertyByName.get(key);
    const schema = property?.schema ?? plan.additional;
    if (schema === undefined) continue;
    const own = property === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    visit(schema, item, own, depth + 1, errors, isJsonObject(shared) ? getOwn(shared, key) : undefined);
  }
}

function visitList(schema: Schema, value: JsonArray, path: string, depth: number, errors: FieldError[]): void {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') checkSet(value, path, errors);
  else if (listType === 'map') checkMap(schema['x-kubernetes-list-map-keys'] ?? [], value, path, errors);
  if (schema.items === undefined || !traitsOf(schema.items).uniqueLists) return;
  for (let index = 0; index < value.length; index += 1) {
    visit(schema.items, value[index] ?? null, `${path}[${index}]`, depth + 1, errors);
  }
}

function checkSet(value: JsonArray, path: string, errors: FieldError[]): void {
  if (value.length < 2) return;
  reportSecondOccurrences(value.map(canonicalJson), (index) => {
    errors.push(duplicateField(`${path}[${index}]`, value[index]));
  });
}

function checkMap(keys: readonly string[], value: JsonArray, path: string, errors: FieldError[]): void {
  const nonObject = value.findIndex((item) => item !== null && !isJsonObject(item));
  if (nonObject >= 0) {
    const text = 'must be an object for an array of list-type map';
    errors.push(invalidField(`${path}[${nonObject}]`, value[nonObject], text));
    return;
  }
  if (value.length < 2) return;
  const sortedKeys = keys.toSorted();
  const texts = value.map((item) => canonicalJson(keyOf(sortedKeys, item)));
  reportSecondOccurrences(texts, (index) => {
    errors.push(duplicateField(`${path}[${index}]`, keyOf(sortedKeys, value[index] ?? null)));
  });
}

/** Returns the keys of an item in alphabetical order, as in the message. */
function keyOf(sortedKeys: readonly string[], item: JsonValue): JsonObject {
  const key: Record<string, JsonValue> = {};
  if (!isJsonObject(item)) return key;
  for (const name of sortedKeys) {
    const value = getOwn(item, name);
    if (value !== undefined) key[name] = value;
  }
  return key;
}

function reportSecondOccurrences(texts: readonly string[], report: (index: number) => void): void {
  const times = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) report(index);
  }
}
