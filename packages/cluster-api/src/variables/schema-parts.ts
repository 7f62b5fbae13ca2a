import {
  type FieldError,
  findUnknownFields,
  invalidField,
  type JsonValue,
  type MutableJson,
  type Schema,
  validateStructure,
} from '@slipway/kube';
import { variableSchema } from '../api/v1beta2/class-variables.js';

const depthMax = 50;
const partSchema: Schema = variableSchema.schema.properties?.['openAPIV3Schema'] ?? {};

/**
 * Validates a variable schema below its top level. The ClusterClass CRD validates only the top level, because a structural schema
 * cannot be recursive.
 */
export function validateSchemaParts(path: string, value: JsonValue | undefined, depth = 0): FieldError[] {
  if (!isRecord(value)) return [invalidField(path, value, 'must be a schema')];
  if (depth > depthMax) return [invalidField(path, '', `must not be nested more than ${depthMax} levels deep`)];
  const unknown = findUnknownFields(partSchema, value as Record<string, MutableJson>);
  return [
    ...unknown.map((field) => invalidField(`${path}.${field}`, field, 'is not a known keyword')),
    ...validateStructure(partSchema, value, { path }),
    ...keyed(`${path}.properties`, value['properties'], depth),
    ...single(`${path}.items`, value['items'], depth),
    ...single(`${path}.not`, value['not'], depth),
    ...single(`${path}.additionalProperties`, value['additionalProperties'], depth),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listed(`${path}.${name}`, value[name], depth)),
  ];
}

function single(path: string, value: JsonValue | undefined, depth: number): FieldError[] {
  return value === undefined ? [] : validateSchemaParts(path, value, depth + 1);
}

function keyed(path: string, value: JsonValue | undefined, depth: number): FieldError[] {
  if (value === undefined) return [];
  if (!isRecord(value)) return [invalidField(path, value, 'must be a map of schemas')];
  return Object.entries(value).flatMap(([name, part]) => validateSchemaParts(`${path}[${name}]`, part, depth + 1));
}

function listed(path: string, value: JsonValue | undefined, depth: number): FieldError[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [invalidField(path, value, 'must be a list of schemas')];
  return value.flatMap((part: JsonValue, index) => validateSchemaParts(`${path}[${index}]`, part, depth + 1));
}

function isRecord(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
