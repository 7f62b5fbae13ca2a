import type { Schema } from '../../schema/index.js';
import type { CelType } from '../types/index.js';
import * as cel from '../types/index.js';
import { escapePropertyName, withObjectMeta } from '../values/index.js';

/** The maximum size of a request. It limits everything that a schema does not. */
export const REQUEST_BYTES_MAX = 3 * 1024 * 1024;

/** The CEL type of a schema node, with the size limits for the cost estimate. */
export interface DeclaredType {
  readonly kind: 'scalar' | 'list' | 'map' | 'object';
  readonly scalar?: CelType;
  /** The maximum number of elements, characters or bytes of a value. */
  readonly elementsMax: number;
  /** The minimum size of a value in JSON, in bytes. */
  readonly bytesMin: number;
  readonly element?: DeclaredType;
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

function scalar(type: CelType, bytesMin: number, elementsMax = 0): DeclaredType {
  return { kind: 'scalar', scalar: type, bytesMin, elementsMax };
}

/**
 * Returns the type of a schema node. Undefined for nodes that are not visible to rules: preserved unknown fields without a type,
 * and lists and maps of them.
 */
export function declaredType(schema: Schema, isResource: boolean): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return scalar(cel.dynType, 1, schema.maxLength === undefined ? REQUEST_BYTES_MAX - 2 : bytesOf(schema.maxLength));
  }
  const node = isResource ? withObjectMeta(schema) : schema;
  switch (node.type) {
    case 'array':
      return declaredList(node);
    case 'object':
      return typeof node.additionalProperties === 'object'
        ? declaredMap(node, node.additionalProperties)
        : declaredObject(node);
    case 'string':
      return declaredText(node);
    case 'boolean':
      return scalar(cel.boolType, 4);
    case 'number':
      return scalar(cel.doubleType, 1);
    case 'integer':
      return scalar(cel.intType, 1);
    default:
      return undefined;
  }
}

/**
 * Returns the number of bytes of a text. The schema limits characters and the request limits bytes; a character has up to four
 * bytes.
 */
function bytesOf(characters: number): number {
  return Math.max(0, characters) * 4;
}

function isEmbedded(schema: Schema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function declaredList(schema: Schema): DeclaredType | undefined {
  const element = schema.items && declaredType(schema.items, isEmbedded(schema.items));
  if (element === undefined) return undefined;
  const fitting = Math.floor((REQUEST_BYTES_MAX - 2) / (element.bytesMin + 1));
  const elementsMax = schema.maxItems === undefined ? fitting : Math.max(0, schema.maxItems);
  return { kind: 'list', element, elementsMax, bytesMin: 2 };
}

function declaredMap(schema: Schema, values: Schema): DeclaredType | undefined {
  const element = declaredType(values, isEmbedded(values));
  if (element === undefined) return undefined;
  // Each entry has a key of at least two characters with quotes, a colon and a comma.
  const fitting = Math.floor((REQUEST_BYTES_MAX - 2) / (element.bytesMin + 6));
  const elementsMax = schema.maxProperties === undefined ? fitting : Math.max(0, schema.maxProperties);
  return { kind: 'map', element, elementsMax, bytesMin: 2 };
}

function declaredObject(schema: Schema): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  const required = new Set(schema.required);
  let bytesMin = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = declaredType(property, isEmbedded(property));
    if (type === undefined) continue;
    const escaped = escapePropertyName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    // The server sets a default, so the request may omit the field.
    if (required.has(name) && property.default === undefined) bytesMin += Buffer.byteLength(name) + type.bytesMin + 4;
  }
  return { kind: 'object', fields, elementsMax: 0, bytesMin };
}

function declaredText(schema: Schema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar(
        cel.bytesType,
        2,
        schema.maxLength === undefined ? REQUEST_BYTES_MAX - 2 : Math.max(0, schema.maxLength),
      );
    case 'duration':
      return scalar(cel.durationType, 3, 32);
    case 'date':
      return scalar(cel.timestampType, 12, 12);
    case 'date-time':
      return scalar(cel.timestampType, 21, 32);
    default:
      return scalar(cel.stringType, 2, textMax(schema));
  }
}

function textMax(schema: Schema): number {
  if (schema.maxLength !== undefined) return bytesOf(schema.maxLength);
  if (schema.enum === undefined || schema.enum.length === 0) return REQUEST_BYTES_MAX - 2;
  return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

/** Returns the type for the checker. Object types are named by their path, so that different objects never have the same type. */
export function toCelType(declared: DeclaredType, name = 'selfType'): CelType {
  switch (declared.kind) {
    case 'scalar':
      return declared.scalar ?? cel.dynType;
    case 'list':
      return cel.listType(declared.element === undefined ? cel.dynType : toCelType(declared.element, `${name}.@idx`));
    case 'map':
      return cel.mapType(
        cel.stringType,
        declared.element === undefined ? cel.dynType : toCelType(declared.element, `${name}.@elem`),
      );
    case 'object': {
      const fields = [...(declared.fields ?? [])].map(
        ([field, type]) => [field, toCelType(type, `${name}.${field}`)] as const,
      );
      return cel.structType(name, new Map(fields));
    }
  }
}

/** Returns a function that looks up the size limit of the data at a path below `self` or `oldSelf`. */
export function sizeLookup(root: DeclaredType): (path: readonly string[]) => number | undefined {
  return (path) => {
    let current: DeclaredType | undefined = root;
    for (const step of path.slice(1)) {
      // Like upstream, limit the values of a map but count its keys as empty.
      if (step === '@keys') return current?.kind === 'map' ? 0 : undefined;
      current = step === '@items' || step === '@values' ? current?.element : current?.fields?.get(step);
      if (current === undefined) return undefined;
    }
    return current.elementsMax;
  };
}
