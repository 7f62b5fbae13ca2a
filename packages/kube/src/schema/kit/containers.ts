import type { JsonObject } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { type Fields, isOptional, type Node, node, type ObjectValue, type OptionalNode } from './node.js';
import { type CommonOptions, type ListOptions, type ObjectOptions, schemaOf } from './options.js';

/** An object with known fields: `object({ name: string(), size: optional(int32()) }, { minProperties: 1 })`. */
export function object<const F extends Fields>(fields: F, options?: ObjectOptions): Node<ObjectValue<F>> {
  return node(schemaOf({ type: 'object', ...fieldsOf(fields) }, options));
}

/** Returns `properties` and `required` of a set of fields. Both are omitted if empty. */
export function fieldsOf(fields: Fields): Pick<Schema, 'properties' | 'required'> {
  const names = Object.keys(fields).sort();
  if (names.length === 0) return {};
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const name of names) {
    const field = fields[name];
    if (field === undefined) continue;
    properties[name] = field.schema;
    if (!isOptional(field)) required.push(name);
  }
  return required.length === 0 ? { properties } : { properties, required };
}

/** An object without any declared fields. */
export function freeObject(options?: ObjectOptions): Node<JsonObject> {
  return node(schemaOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, options));
}

/** A map with arbitrary keys and values of one schema. */
export function map<T>(values: Node<T>, options?: ObjectOptions): Node<Record<string, T>> {
  return node(schemaOf({ type: 'object', additionalProperties: values.schema }, options));
}

/** A list without a list type. It is replaced as a whole. */
export function list<T>(items: Node<T>, options?: ListOptions): Node<T[]> {
  return node(schemaOf({ type: 'array', items: items.schema }, options));
}

/** A list of type atomic: it is replaced as a whole. */
export function atomicList<T>(items: Node<T>, options?: ListOptions): Node<T[]> {
  return node(schemaOf({ type: 'array', items: items.schema, 'x-kubernetes-list-type': 'atomic' }, options));
}

/** A list of type map: items are identified and merged by some of their fields. */
export function mapList<T extends object, K extends keyof T & string>(
  items: Node<T>,
  keys: readonly [K, ...K[]],
  options?: ListOptions,
): Node<T[]> {
  const base: Schema = {
    type: 'array',
    items: items.schema,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  };
  return node(schemaOf(base, options));
}

/** Returns a node that also allows null. */
export function nullable<T>(inner: Node<T>): Node<T | null> {
  return node({ ...inner.schema, nullable: true });
}

/** Returns a copy of the node with another description, default or rules. For shared nodes that differ in one place. */
export function refine<T>(inner: OptionalNode<T>, options: CommonOptions & ObjectOptions): OptionalNode<T>;
export function refine<T>(inner: Node<T>, options: CommonOptions & ObjectOptions): Node<T>;
export function refine<T>(inner: Node<T>, options: CommonOptions & ObjectOptions): Node<T> {
  return { ...inner, schema: schemaOf(inner.schema, options) };
}

/** Returns a node for a schema that the other functions cannot express. The caller guarantees that type and schema match. */
export function custom<T>(schema: Schema): Node<T> {
  return node(schema);
}
