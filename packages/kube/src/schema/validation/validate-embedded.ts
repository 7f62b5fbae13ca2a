import { type FieldError, invalidField, requiredField } from '../../errors/index.js';
import type { JsonObject, JsonValue } from '../../json/index.js';
import { isJsonArray } from '../model/json-kind.js';
import { getOwn } from '../model/own-property.js';
import { planOf } from '../model/plan.js';
import { traitsOf } from '../model/traits.js';
import type { Schema } from '../schema.js';
import { dns1035LabelProblems } from './names.js';
import { depthMax } from './walker.js';

/** Validates the metadata of an embedded object. `path` ends with `metadata`. */
export type EmbeddedMetadataCheck = (metadata: JsonValue, path: string) => readonly FieldError[];

/** Validates objects under `x-kubernetes-embedded-resource`: they require a valid apiVersion and kind. Metadata is optional. */
export function validateEmbedded(
  schema: Schema,
  value: JsonValue,
  checkMetadata: EmbeddedMetadataCheck,
  path = '',
): FieldError[] {
  const walk: EmbeddedWalk = { checkMetadata, errors: [] };
  visit(walk, schema, value, path, 0);
  return walk.errors;
}

interface EmbeddedWalk {
  readonly checkMetadata: EmbeddedMetadataCheck;
  readonly errors: FieldError[];
}

function visit(walk: EmbeddedWalk, schema: Schema, value: JsonValue, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax || !traitsOf(schema).embedded) return;
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      if (schema.items !== undefined) visit(walk, schema.items, item, `${path}[${index}]`, depth + 1);
    }
  } else visitObject(walk, schema, value as JsonObject, path, depth);
}

function visitObject(walk: EmbeddedWalk, schema: Schema, object: JsonObject, path: string, depth: number): void {
  const plan = planOf(schema);
  if (plan.embedded) checkEmbedded(object, path, walk.checkMetadata, walk.errors);
  for (const key of Object.keys(object)) {
    const item = object[key];
    if (typeof item !== 'object' || item === null) continue;
    const property = plan.propertyByName.get(key);
    if (property !== undefined) visit(walk, property.schema, item, child(path, key), depth + 1);
    else if (plan.additional !== undefined) visit(walk, plan.additional, item, `${path}[${key}]`, depth + 1);
  }
}

function child(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function checkEmbedded(
  object: JsonObject,
  path: string,
  checkMetadata: EmbeddedMetadataCheck,
  errors: FieldError[],
): void {
  const apiVersion = getOwn(object, 'apiVersion');
  const kind = getOwn(object, 'kind');
  const metadata = getOwn(object, 'metadata');
  if (apiVersion === undefined) errors.push(requiredField(child(path, 'apiVersion')));
  if (kind === undefined) errors.push(requiredField(child(path, 'kind')));
  if (apiVersion !== undefined) checkApiVersion(apiVersion, child(path, 'apiVersion'), errors);
  if (kind !== undefined) checkKind(kind, child(path, 'kind'), errors);
  if (metadata !== undefined) errors.push(...checkMetadata(metadata, child(path, 'metadata')));
}

function checkApiVersion(value: JsonValue, path: string, errors: FieldError[]): void {
  if (typeof value !== 'string') errors.push(invalidField(path, value, 'must be a string'));
  else if (value === '') errors.push(invalidField(path, value, 'must not be empty'));
  else if (value.split('/').length > 2) {
    errors.push(invalidField(path, value, `unexpected GroupVersion string: ${value}`));
  }
}

function checkKind(value: JsonValue, path: string, errors: FieldError[]): void {
  if (typeof value !== 'string') errors.push(invalidField(path, value, 'must be a string'));
  else if (value === '') errors.push(invalidField(path, value, 'must not be empty'));
  else {
    const problems = dns1035LabelProblems(value.toLowerCase());
    if (problems.length === 0) return;
    const text = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    errors.push(invalidField(path, value, text));
  }
}
