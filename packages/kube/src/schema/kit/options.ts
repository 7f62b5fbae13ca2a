import type { JsonValue } from '../../json/index.js';
import type { Schema, ValidationRule } from '../schema.js';

/** The options of every node. */
export interface CommonOptions<T = JsonValue> {
  readonly description?: string;
  readonly default?: T;
  /** CEL rules. A string is a rule without a message. */
  readonly rules?: readonly (ValidationRule | string)[];
}

export interface StringOptions extends CommonOptions<string> {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface NumberOptions extends CommonOptions<number> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
}

export interface ListOptions extends CommonOptions<readonly JsonValue[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ObjectOptions extends CommonOptions<Readonly<Record<string, JsonValue>>> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Whether the object is merged and compared as one value. */
  readonly atomic?: boolean;
  readonly preserveUnknownFields?: boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

type Draft = { -readonly [K in keyof Schema]: Schema[K] };

/** Converts options to schema keywords. Omits absent options, so that schemas can be compared key by key. */
export function schemaOf(base: Schema, options: object = {}): Schema {
  const draft: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined) draft[keywordOf(key)] = key === 'rules' ? ruleList(value) : value;
  }
  if (draft['atomic'] !== undefined) {
    if (draft['atomic'] === true) draft['x-kubernetes-map-type'] = 'atomic';
    delete draft['atomic'];
  }
  return draft as Draft;
}

function keywordOf(option: string): string {
  if (option === 'rules') return 'x-kubernetes-validations';
  return option === 'preserveUnknownFields' ? 'x-kubernetes-preserve-unknown-fields' : option;
}

function ruleList(rules: readonly (ValidationRule | string)[]): readonly ValidationRule[] {
  return rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
}
