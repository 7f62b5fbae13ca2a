import { describe, expect, expectTypeOf, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/index.js';
import { checkStructural, validateStructure } from '../index.js';
import {
  anyValue,
  atomicList,
  boolean,
  bytes,
  custom,
  dateTime,
  enumeration,
  freeObject,
  type Infer,
  int32,
  int64,
  integer,
  intOrString,
  list,
  map,
  mapList,
  type Node,
  object,
  optional,
  quantity,
  refine,
  string,
} from './index.js';
import { nullable } from './containers.js';
import { number } from './scalars.js';

const rows: readonly { name: string; node: Node<unknown>; schema: object }[] = [
  {
    name: 'string',
    node: string({ minLength: 1, pattern: '^a' }),
    schema: { type: 'string', minLength: 1, pattern: '^a' },
  },
  {
    name: 'enumeration',
    node: enumeration(['a', 'b'], { default: 'a' }),
    schema: { type: 'string', enum: ['a', 'b'], default: 'a' },
  },
  { name: 'int32', node: int32({ minimum: 0 }), schema: { type: 'integer', format: 'int32', minimum: 0 } },
  { name: 'int64', node: int64(), schema: { type: 'integer', format: 'int64' } },
  { name: 'integer', node: integer(), schema: { type: 'integer' } },
  { name: 'number', node: number({ format: 'double' }), schema: { type: 'number', format: 'double' } },
  { name: 'boolean', node: boolean({ default: false }), schema: { type: 'boolean', default: false } },
  { name: 'dateTime', node: dateTime(), schema: { type: 'string', format: 'date-time' } },
  { name: 'bytes', node: bytes({ maxLength: 9 }), schema: { type: 'string', format: 'byte', maxLength: 9 } },
  {
    name: 'intOrString',
    node: intOrString({ rules: ['self > 0'] }),
    schema: {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [{ rule: 'self > 0' }],
    },
  },
  { name: 'anyValue', node: anyValue(), schema: { 'x-kubernetes-preserve-unknown-fields': true } },
  { name: 'map', node: map(string()), schema: { type: 'object', additionalProperties: { type: 'string' } } },
  {
    name: 'list',
    node: list(string(), { maxItems: 2 }),
    schema: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  },
  {
    name: 'atomicList',
    node: atomicList(string()),
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
  },
  {
    name: 'mapList',
    node: mapList(object({ k: string() }), ['k']),
    schema: {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
  },
  {
    name: 'object, with fields in alphabetical order',
    node: object({ b: string(), a: optional(int32()) }, { atomic: true, minProperties: 1, description: 'd' }),
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', format: 'int32' }, b: { type: 'string' } },
      required: ['b'],
      'x-kubernetes-map-type': 'atomic',
      minProperties: 1,
      description: 'd',
    },
  },
  { name: 'empty object', node: object({}), schema: { type: 'object' } },
  { name: 'freeObject', node: freeObject(), schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  {
    name: 'nullable',
    node: nullable(list(string())),
    schema: { type: 'array', items: { type: 'string' }, nullable: true },
  },
  {
    name: 'refine',
    node: refine(string({ maxLength: 1 }), { description: 'd' }),
    schema: { type: 'string', maxLength: 1, description: 'd' },
  },
  { name: 'custom', node: custom<'x'>({ type: 'string', enum: ['x'] }), schema: { type: 'string', enum: ['x'] } },
];

describe('combinators', () => {
  it.each(rows)('$name', ({ node, schema }) => {
    expect(node.schema).toEqual(schema);
    expect(checkStructural({ type: 'object', properties: { a: node.schema } })).toEqual([]);
  });

  it('accepts only quantities for a quantity', () => {
    const accepts = (value: JsonValue) => validateStructure(quantity().schema, value).length === 0;
    expect(['500m', '4Gi', 2, '1e3', '.5'].filter(accepts)).toEqual(['500m', '4Gi', 2, '1e3', '.5']);
    expect(['4 Gi', 'x', true].filter(accepts)).toEqual([]);
  });

  it('infers TypeScript types', () => {
    const node = object({
      name: string(),
      mode: optional(enumeration(['A', 'B'])),
      labels: map(string()),
      ports: optional(mapList(object({ port: int32() }), ['port'])),
      any: anyValue(),
      free: optional(freeObject()),
      amount: optional(intOrString()),
      maybe: nullable(string()),
    });
    interface Expected {
      name: string;
      mode?: 'A' | 'B';
      labels: Record<string, string>;
      ports?: { port: number }[];
      any: JsonValue;
      free?: JsonObject;
      amount?: string | number;
      maybe: string | null;
    }
    const value: Expected = { name: 'a', labels: {}, any: 1, maybe: null };
    const inferred: Infer<typeof node> = value;
    const back: Expected = inferred;
    expect(back).toBe(value);
    expectTypeOf<Infer<typeof node>['mode']>().toEqualTypeOf<'A' | 'B' | undefined>();
    // @ts-expect-error the keys of a map list are names of its items' fields
    mapList(object({ port: int32() }), ['prot']);
  });
});
