import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepEqual, type MutableJson, type MutableJsonObject } from '../json/index.js';
import { applyDefaults, findUnknownFields, prune, type Schema, validate, validateStructure } from './index.js';

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');

const scalar: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'string', minLength: 2, default: 'xx' },
  { type: 'string', nullable: true, enum: ['x', 'y'] },
  { type: 'integer', minimum: 1, default: 3 },
  { type: 'integer', format: 'int32', maximum: 5 },
  { type: 'number', multipleOf: 0.5 },
  { type: 'boolean' },
  { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' },
  { 'x-kubernetes-preserve-unknown-fields': true },
);

function dictionary<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.uniqueArray(fc.tuple(key, values), { maxLength: 4, selector: ([name]) => name }).map((entries) => {
    const object: Record<string, T> = {};
    for (const [name, value] of entries) {
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return object;
  });
}

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.record<Schema>(
      { type: fc.constant('object'), properties: dictionary(tie('schema')), required: fc.uniqueArray(key) },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record<Schema>({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record<Schema>(
      { type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat(3) },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record<Schema>({
      type: fc.constant('array'),
      'x-kubernetes-list-type': fc.constantFrom('map', 'set'),
      'x-kubernetes-list-map-keys': fc.constant(['a']),
      items: fc.record<Schema>({ type: fc.constant('object'), properties: dictionary(tie('schema')) }),
    }),
  ),
}));

const { value } = fc.letrec<{ value: MutableJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<MutableJson>('x', 'y', '', '5%', 0, 1, 1.5, -1, 2n ** 60n, true, null),
    dictionary(tie('value')),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));

const root = dictionary(schema).map((properties): Schema => ({ type: 'object', properties }));
const object = dictionary(value) as fc.Arbitrary<MutableJsonObject>;

describe('schema operations on any schema and object', () => {
  it('applies defaults idempotently', () => {
    fc.assert(
      fc.property(root, object, (schema, value) => {
        applyDefaults(schema, value);
        const once = structuredClone(value);
        applyDefaults(schema, value);
        expect(deepEqual(once, value)).toBe(true);
      }),
    );
  });

  it('prunes idempotently and removes all unknown fields', () => {
    fc.assert(
      fc.property(root, object, (schema, value) => {
        prune(schema, value);
        const once = structuredClone(value);
        prune(schema, value);
        expect(deepEqual(once, value)).toBe(true);
        expect(findUnknownFields(schema, value)).toEqual([]);
      }),
    );
  });

  it('lists unknown fields without changing the object', () => {
    fc.assert(
      fc.property(root, object, (schema, value) => {
        const before = structuredClone(value);
        findUnknownFields(schema, value);
        expect(deepEqual(before, value)).toBe(true);
      }),
    );
  });

  it('validates a pruned and defaulted object with a stable result and without changing it', () => {
    fc.assert(
      fc.property(root, object, (schema, value) => {
        prune(schema, value);
        applyDefaults(schema, value);
        const before = structuredClone(value);
        const first = validate(schema, value);
        expect(deepEqual(before, value)).toBe(true);
        expect(validate(schema, value)).toEqual(first);
      }),
    );
  });

  it('reports no error for an unchanged object on update', () => {
    fc.assert(
      fc.property(root, object, (schema, value) => {
        expect(validate(schema, value, { old: structuredClone(value) })).toEqual([]);
      }),
    );
  });

  it('reports no error on update that create would not report', () => {
    fc.assert(
      fc.property(root, object, object, (schema, value, old) => {
        const created = new Set(validateStructure(schema, value).map((error) => error.field + error.message));
        const updated = validateStructure(schema, value, { old });
        expect(updated.filter((error) => !created.has(error.field + error.message))).toEqual([]);
      }),
    );
  });
});
