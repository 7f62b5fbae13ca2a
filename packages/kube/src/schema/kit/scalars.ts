import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { type Node, node } from './node.js';
import { type CommonOptions, type NumberOptions, schemaOf, type StringOptions } from './options.js';

export function string(options?: StringOptions): Node<string> {
  return node(schemaOf({ type: 'string' }, options));
}

/** A string enum: `enumeration(['Always', 'Never'])`. */
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

/** An integer without a format. */
export function integer(options?: NumberOptions): Node<number> {
  return node(schemaOf({ type: 'integer' }, options));
}

export function number(options?: NumberOptions & { readonly format?: 'float' | 'double' }): Node<number> {
  return node(schemaOf({ type: 'number' }, options));
}

export function boolean(options?: CommonOptions<boolean>): Node<boolean> {
  return node(schemaOf({ type: 'boolean' }, options));
}

/** An RFC 3339 time, like `metav1.Time`. */
export function dateTime(options?: CommonOptions<string>): Node<string> {
  return node(schemaOf({ type: 'string', format: 'date-time' }, options));
}

/** Base64 data, like `[]byte` in Go. */
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

/** A number or a percentage. */
export function intOrString(options?: IntOrStringOptions): Node<number | string> {
  return node(schemaOf(intOrStringBase, options));
}

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))' +
  '(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** A resource quantity: `500m`, `4Gi`, 2. */
export function quantity(options?: CommonOptions<string | number>): Node<number | string> {
  return node(schemaOf({ ...intOrStringBase, pattern: quantityPattern }, options));
}

/** Any JSON value, preserved unchanged. */
export function anyValue(options?: CommonOptions): Node<JsonValue> {
  return node(schemaOf({ 'x-kubernetes-preserve-unknown-fields': true }, options));
}
