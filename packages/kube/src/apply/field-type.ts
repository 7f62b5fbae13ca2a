import type { JsonValue } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { NodeMemo } from './node-memo.js';
import { objectMetaSchema, typeMetaSchemas } from './object-meta-schema.js';
import { fieldKey, type PathKey } from './path-key.js';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/**
 * A schema node reduced to what merging needs. A node may allow several forms (int-or-string, unknown fields); the value then
 * determines the form. Children are resolved lazily, because schemas of built-in kinds are cyclic.
 */
export interface FieldType {
  readonly scalar: ScalarType | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

/** Caches of field sets, one for each way to build them. */
interface Memos {
  /** Last set for a value that was added or removed as a whole. */
  readonly wholeMemo: NodeMemo;
  /** Last set of the fields that a configuration owns. */
  readonly ownedMemo: NodeMemo;
}

function memos(): Memos {
  return { wholeMemo: new NodeMemo(), ownedMemo: new NodeMemo() };
}

export interface ListType extends Memos {
  /** Key fields of a list of type map. Empty for a set, undefined for an atomic list. */
  readonly keys: readonly string[] | undefined;
  readonly element: FieldType;
  /** Default values for keys that an item omits. */
  readonly keyDefaults: ReadonlyMap<string, JsonValue>;
}

export interface MapType extends Memos {
  readonly atomic: boolean;
  /** Whether the schema declares nothing and allows everything. Ownership is not validated against such a schema. */
  readonly untyped: boolean;
  field(name: string): FieldMember | undefined;
  /** The type of undeclared members, or undefined if they are not allowed. */
  readonly element: FieldType | undefined;
}

export interface FieldMember {
  readonly key: PathKey;
  readonly type: FieldType;
}

const noDefaults: ReadonlyMap<string, JsonValue> = new Map();

const untypedAtomic: FieldType = {
  scalar: 'untyped',
  list: atomicList(() => untypedAtomic),
  map: {
    ...memos(),
    atomic: true,
    untyped: false,
    field: () => undefined,
    get element() {
      return untypedAtomic;
    },
  },
};

/** Data without a schema: maps merge by key, lists are atomic. */
export const deducedType: FieldType = {
  scalar: 'untyped',
  list: atomicList(() => untypedAtomic),
  map: {
    ...memos(),
    atomic: false,
    untyped: true,
    field: () => undefined,
    get element() {
      return deducedType;
    },
  },
};

function atomicList(element: () => FieldType): ListType {
  return {
    ...memos(),
    keys: undefined,
    get element() {
      return element();
    },
    keyDefaults: noDefaults,
  };
}

interface CompiledTypes {
  root?: FieldType;
  strict?: FieldType;
  preserving?: FieldType;
}
const compiled = new WeakMap<Schema, CompiledTypes>();

function compiledOf(schema: Schema): CompiledTypes {
  let types = compiled.get(schema);
  if (types === undefined) {
    types = {};
    compiled.set(schema, types);
  }
  return types;
}

/** Returns the type of a whole object, with the metadata of every kind. */
export function rootFieldType(schema: Schema): FieldType {
  const types = compiledOf(schema);
  types.root ??= compile(asResource(schema), preserves(schema));
  return types.root;
}

/**
 * Returns the type of a schema node. `preserving` is true if an ancestor preserves unknown fields, which applies to everything
 * below it.
 */
function fieldTypeOf(schema: Schema, preserving: boolean): FieldType {
  const types = compiledOf(schema);
  const keep = preserving || preserves(schema);
  const known = keep ? types.preserving : types.strict;
  if (known !== undefined) return known;
  const type = compile(schema['x-kubernetes-embedded-resource'] === true ? asResource(schema) : schema, keep);
  if (keep) types.preserving = type;
  else types.strict = type;
  return type;
}

function preserves(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function asResource(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, ...typeMetaSchemas, metadata: objectMetaSchema } };
}

function compile(schema: Schema, preserving: boolean): FieldType {
  // Upstream treats Quantity and RawExtension as structs, although their published schemas do not.
  if (schema.refName?.endsWith('.resource.Quantity') === true)
    return { scalar: 'untyped', list: undefined, map: undefined };
  if (schema.refName?.endsWith('.runtime.RawExtension') === true) return untypedAtomic;
  switch (schema.type) {
    case 'object':
      return { scalar: undefined, list: undefined, map: compileMap(schema, preserving) };
    case 'array':
      return { scalar: undefined, list: compileList(schema, preserving), map: undefined };
    case undefined:
      return { scalar: 'untyped', list: compileList(schema, preserving), map: compileMap(schema, preserving) };
    default:
      return { scalar: scalarType(schema), list: undefined, map: undefined };
  }
}

function scalarType(schema: Schema): ScalarType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'untyped';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type !== 'string') return 'numeric';
  return schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped';
}

function compileMap(schema: Schema, preserving: boolean): MapType {
  const properties = schema.properties ?? {};
  const members = new Map<string, FieldMember>();
  const elementSchema = undeclaredSchema(schema, preserving);
  return {
    ...memos(),
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    untyped: elementSchema === 'deduced' && Object.keys(properties).length === 0,
    field: (name) => {
      const known = members.get(name);
      if (known !== undefined) return known;
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) return undefined;
      const member = { key: fieldKey(name), type: fieldTypeOf(property, preserving) };
      members.set(name, member);
      return member;
    },
    get element() {
      if (elementSchema === 'deduced') return deducedType;
      return elementSchema === undefined ? undefined : fieldTypeOf(elementSchema, preserving);
    },
  };
}

function undeclaredSchema(schema: Schema, preserving: boolean): Schema | 'deduced' | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') return additional;
  if (additional === false) return undefined;
  if (additional === true || preserving) return 'deduced';
  // An object without any declaration is free-form in OpenAPI.
  return Object.keys(schema.properties ?? {}).length === 0 ? 'deduced' : undefined;
}

function compileList(schema: Schema, preserving: boolean): ListType {
  const items = schema.items;
  const element = (): FieldType => (items === undefined ? untypedAtomic : fieldTypeOf(items, preserving));
  return {
    ...memos(),
    keys: listKeys(schema),
    get element() {
      return element();
    },
    keyDefaults: items === undefined ? noDefaults : listKeyDefaults(schema, items),
  };
}

function listKeys(schema: Schema): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return [];
    case 'map':
      return [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
    case 'atomic':
      return undefined;
  }
  // Older built-in lists have no list type, only the extensions for strategic merge patch.
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined;
  const key = schema['x-kubernetes-patch-merge-key'];
  return key === undefined ? [] : [key];
}

function listKeyDefaults(schema: Schema, items: Schema): ReadonlyMap<string, JsonValue> {
  const defaults = new Map<string, JsonValue>();
  for (const key of listKeys(schema) ?? []) {
    const properties = items.properties ?? {};
    const value = Object.hasOwn(properties, key) ? properties[key]?.default : undefined;
    if (value !== undefined && value !== null) defaults.set(key, value);
  }
  return defaults;
}
