import type { JsonValue } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { NodeMemo } from './node-memo.js';
import { objectMetaSchema, typeMetaSchemas } from './object-meta-schema.js';
import { fieldKey, type PathKey } from './path-key.js';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/**
 * A schema node reduced to what merging needs. One node may admit several forms (int-or-string, unknown fields): the value
 * decides. Children are resolved when first asked for, because schemas of built-in kinds are cyclic.
 */
export interface FieldType {
  readonly scalar: ScalarType | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

/** Where the walks keep what they built last. */
interface Memos {
  /** Of fields that came or went as a whole. */
  readonly wholeMemo: NodeMemo;
  /** Of fields that a configuration claims. */
  readonly ownedMemo: NodeMemo;
}

function memos(): Memos {
  return { wholeMemo: new NodeMemo(), ownedMemo: new NodeMemo() };
}

export interface ListType extends Memos {
  /** A set when there are no keys; undefined for an atomic list. */
  readonly keys: readonly string[] | undefined;
  readonly element: FieldType;
  /** Values that stand in for keys an item leaves out. */
  readonly keyDefaults: ReadonlyMap<string, JsonValue>;
}

export interface MapType extends Memos {
  readonly atomic: boolean;
  /** Nothing is declared and everything is allowed: ownership is not checked against a schema that says nothing. */
  readonly untyped: boolean;
  field(name: string): FieldMember | undefined;
  /** The type of members that are not declared; undefined when there may be none. */
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

/** The type of a whole object: its metadata is that of every object. */
export function rootFieldType(schema: Schema): FieldType {
  const types = compiledOf(schema);
  types.root ??= compile(asResource(schema), preserves(schema));
  return types.root;
}

/** `preserving`: a schema further up keeps unknown fields, which reaches everything below it. */
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
  // Both are structs upstream whose published schema says less than the server does with them.
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
  // An object that declares nothing at all is free-form in OpenAPI.
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
  // Built-in lists from before list types exist only say how strategic merge patch treats them.
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
