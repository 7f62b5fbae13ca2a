import type { MutableJson, MutableJsonObject, Schema } from '@slipway/kube';
import { isEmpty, isObject, member } from './json-object.js';

/**
 * Removes zero values from optional fields. Objects of the old version contain zero values that the new version rejects
 * (`minLength`, `minItems`, `minProperties`, `minimum`).
 */
export function omitZeroValues(schema: Schema, value: MutableJson): void {
  walk(schema, value, (objectSchema, object) => {
    const required = objectSchema.required ?? [];
    for (const [key, field] of Object.entries(objectSchema.properties ?? {})) {
      const fieldValue = member(object, key);
      if (fieldValue !== undefined && !required.includes(key) && isForbiddenZero(field, fieldValue)) delete object[key];
    }
  });
}

function isForbiddenZero(schema: Schema, value: MutableJson): boolean {
  if (value === '') return (schema.minLength ?? 0) > 0 || schema.enum !== undefined;
  if (value === 0) return (schema.minimum ?? 0) > 0;
  if (Array.isArray(value)) return value.length === 0 && (schema.minItems ?? 0) > 0;
  return isObject(value) && isEmpty(value) && (schema.minProperties ?? 0) > 0;
}

/** Adds zero values that the old version requires and the new one omits, if the schema accepts them. */
export function fillRequired(schema: Schema, value: MutableJson): void {
  walk(schema, value, (objectSchema, object) => {
    for (const key of objectSchema.required ?? []) {
      const field = objectSchema.properties?.[key];
      if (field === undefined || member(object, key) !== undefined) continue;
      const zero = zeroOf(field);
      if (zero !== undefined) object[key] = zero;
    }
  });
}

function zeroOf(schema: Schema): MutableJson | undefined {
  if (schema.enum !== undefined) return undefined;
  switch (schema.type) {
    case 'string':
      return (schema.minLength ?? 0) > 0 || schema.format !== undefined ? undefined : '';
    case 'boolean':
      return false;
    case 'integer':
      return (schema.minimum ?? 0) > 0 ? undefined : 0;
    case 'array':
      return (schema.minItems ?? 0) > 0 ? undefined : [];
    case 'object':
      return objectZero(schema);
    default:
      return undefined;
  }
}

function objectZero(schema: Schema): MutableJsonObject | undefined {
  if ((schema.minProperties ?? 0) > 0) return undefined;
  const object: MutableJsonObject = {};
  fillRequired(schema, object);
  return object;
}

/** Visits every object whose fields are in the schema, inner objects first. */
function walk(schema: Schema, value: MutableJson, visit: (schema: Schema, object: MutableJsonObject) => void): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) walk(schema.items, item, visit);
    return;
  }
  if (!isObject(value)) return;
  const { properties = {}, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const child = value[key];
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const childSchema = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (child !== undefined && childSchema !== undefined) walk(childSchema, child, visit);
  }
  visit(schema, value);
}
