import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { type Node, node } from './node.js';
import { type CommonOptions, type NumberOptions, schemaOf, type StringOptions } from './options.js';

export function string(options?: StringOptions): Node<string> {
  return node(schemaOf({ type: 'string' }, options));
}

/** One of a fixed set of texts: `enumeration(['Always', 'Never'])`. */
export function enumeration<const T extends readonly string[]>(
  values: T,
  options?: CommonOptions<T[number]>,
): Node<T[number]> {
  return node(schemaOf({ type: 'string', enum: values }, options));
}

export function int32(options?: NumberOptions): Node<number> {
  return node(schemaOf({ type: 'integer', format: 'int32' }, options));
}

export function int64(options?: NumberOptions): Node<number> {
  return node(schemaOf({ type: 'integer', format: 'int64' }, options));
}

/** An integer of no stated width. */
export function integer(options?: NumberOptions): Node<number> {
  return node(schemaOf({ type: 'integer' }, options));
}

export function number(options?: NumberOptions & { readonly format?: 'float' | 'double' }): Node<number> {
  return node(schemaOf({ type: 'number' }, options));
}

export function boolean(options?: CommonOptions<boolean>): Node<boolean> {
  return node(schemaOf({ type: 'boolean' }, options));
}

/** RFC 3339, as `metav1.Time` is written. */
export function dateTime(options?: CommonOptions<string>): Node<string> {
  return node(schemaOf({ type: 'string', format: 'date-time' }, options));
}

/** Base64 text, as `[]byte` is written. */
export function bytes(options?: StringOptions): Node<string> {
  return node(schemaOf({ type: 'string', format: 'byte' }, options));
}

export interface IntOrStringOptions extends CommonOptions<string | number> {
  readonly pattern?: string;
}

const intOrStringBase: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** A count or a percentage. */
export function intOrString(options?: IntOrStringOptions): Node<number | string> {
  return node(schemaOf(intOrStringBase, options));
}

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))' +
  '(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** A resource amount: `500m`, `4Gi`, 2. */
export function quantity(options?: CommonOptions<string | number>): Node<number | string> {
  return node(schemaOf({ ...intOrStringBase, pattern: quantityPattern }, options));
}

/** Any JSON value, kept as it comes. */
export function anyValue(options?: CommonOptions): Node<JsonValue> {
  return node(schemaOf({ 'x-kubernetes-preserve-unknown-fields': true }, options));
}
