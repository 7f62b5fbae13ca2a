import type { Schema } from '../schema.js';

/** A schema as received in a CRD. It may contain unsupported keywords, which are reported by name. */
export interface ForeignSchema extends Omit<Schema, 'items' | 'type'> {
  readonly type?: string;
  readonly items?: Schema | readonly Schema[];
  readonly id?: string;
  readonly $ref?: string;
  readonly additionalItems?: unknown;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
}

export function foreign(schema: Schema): ForeignSchema {
  return schema;
}

/** Returns the schema of a list's items. A list of schemas is rejected elsewhere. */
export function itemsOf(schema: ForeignSchema): Schema | undefined {
  return isSchemaList(schema.items) ? undefined : schema.items;
}

export function isSchemaList(items: ForeignSchema['items']): items is readonly Schema[] {
  return Array.isArray(items);
}

export function hasKeys(value: object | undefined): boolean {
  return value !== undefined && value !== null && Object.keys(value).length > 0;
}

/** Returns '' for an absent string: CRDs come from clients, so a string that the type requires may be absent. */
export function orEmpty(text: string | null | undefined): string {
  return text ?? '';
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
