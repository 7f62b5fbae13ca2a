import type { Schema } from '../../schema/index.js';
import type { CelType } from '../types/index.js';
import * as cel from '../types/index.js';
import { escapePropertyName, withObjectMeta } from '../values/index.js';

/** The largest request; it bounds everything that a schema does not. */
export const REQUEST_BYTES_MAX = 3 * 1024 * 1024;

/** How CEL sees a schema node, with what the cost estimate wants to know about the data. */
export interface DeclaredType {
  readonly kind: 'scalar' | 'list' | 'map' | 'object';
  readonly scalar?: CelType;
  /** The most elements, characters or bytes that a value can have. */
  readonly elementsMax: number;
  /** The fewest bytes that a value takes in JSON. */
  readonly bytesMin: number;
  readonly element?: DeclaredType;
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

function scalar(type: CelType, bytesMin: number, elementsMax = 0): DeclaredType {
  return { kind: 'scalar', scalar: type, bytesMin, elementsMax };
}

/** Undefined for nodes that rules cannot see: what is preserved without a type, and lists and maps of it. */
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

/** The schema counts characters, requests are counted in bytes, and a character has up to four. */
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
  // Each entry has a key of at least two characters, its quotes, a colon and a comma.
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
    // A default is filled in by the server: the request may leave the field out.
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

/** The type that the checker sees. Objects are named by where they stand, so that two of them never mix. */
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

/** How large the data at a path below `self` or `oldSelf` can be. */
export function sizeLookup(root: DeclaredType): (path: readonly string[]) => number | undefined {
  return (path) => {
    let current: DeclaredType | undefined = root;
    for (const step of path.slice(1)) {
      // Upstream bounds the values of a map and forgets its keys: they count as empty.
      if (step === '@keys') return current?.kind === 'map' ? 0 : undefined;
      current = step === '@items' || step === '@values' ? current?.element : current?.fields?.get(step);
      if (current === undefined) return undefined;
    }
    return current.elementsMax;
  };
}
