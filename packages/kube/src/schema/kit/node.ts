import type { Schema } from '../schema.js';

declare const valueType: unique symbol;

/** A schema with the TypeScript type of its values, which exists only at compile time. */
export interface Node<T> {
  readonly schema: Schema;
  readonly [valueType]?: T;
}

/** An optional field. */
export interface OptionalNode<T> extends Node<T> {
  readonly optional: true;
}

/** The fields of an object. They are required unless wrapped in `optional()`. */
export type Fields = Readonly<Record<string, Node<unknown>>>;

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F];

/** The type of a node's values: `type Spec = Infer<typeof spec>`. */
export type Infer<N> = N extends Node<infer T> ? T : never;

export type ObjectValue<F extends Fields> = {
  -readonly [K in Exclude<keyof F, OptionalKeys<F>>]: F[K] extends Node<infer T> ? T : never;
} & {
  -readonly [K in OptionalKeys<F>]?: F[K] extends Node<infer T> ? T : never;
};

export function node<T>(schema: Schema): Node<T> {
  return { schema };
}

export function optional<T>(field: Node<T>): OptionalNode<T> {
  return { schema: field.schema, optional: true };
}

export function isOptional(field: Node<unknown>): boolean {
  return 'optional' in field && field.optional === true;
}
