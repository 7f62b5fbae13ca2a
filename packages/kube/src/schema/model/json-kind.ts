import type { JsonArray, JsonObject, JsonValue } from '../../json/index.js';

/** The types of JSON values as bits, so that a set of types can be tested with one operation. */
export const jsonKind = {
  string: 1,
  integer: 2,
  /** A number that is not a 64-bit integer. */
  number: 4,
  boolean: 8,
  array: 16,
  object: 32,
  null: 64,
} as const;

export type JsonKind = (typeof jsonKind)[keyof typeof jsonKind];

const int64Limit = 2 ** 63;
const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

export function jsonKindOf(value: JsonValue): JsonKind {
  switch (typeof value) {
    case 'string':
      return jsonKind.string;
    case 'number':
      return Number.isInteger(value) && value < int64Limit && value >= -int64Limit ? jsonKind.integer : jsonKind.number;
    case 'boolean':
      return jsonKind.boolean;
    case 'bigint':
      return value <= int64Max && value >= int64Min ? jsonKind.integer : jsonKind.number;
    default:
      if (value === null) return jsonKind.null;
      return Array.isArray(value) ? jsonKind.array : jsonKind.object;
  }
}

const kindNames: Readonly<Record<JsonKind, string>> = {
  1: 'string',
  2: 'integer',
  4: 'number',
  8: 'boolean',
  16: 'array',
  32: 'object',
  64: 'null',
};

export function jsonKindName(kind: JsonKind): string {
  return kindNames[kind];
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}
