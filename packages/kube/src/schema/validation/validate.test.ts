import { describe, expect, it } from 'vitest';
import { formatFieldError, invalidField } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import type { RuleRequest } from './rule-evaluator.js';
import { validate } from './validate.js';
import { validateListTypes } from './validate-list-types.js';

const text: Schema = { type: 'string' };

describe('validateListTypes', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: { type: 'object', properties: { type: text } },
      },
      taints: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['key', 'effect'],
        items: { type: 'object', properties: { key: text, effect: text } },
      },
      nested: {
        type: 'object',
        additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
      },
    },
  };
  const rows: readonly { name: string; value: JsonValue; then: readonly string[] }[] = [
    { name: 'accepts distinct values', value: { set: ['a', 'b'], conditions: [{ type: 'A' }] }, then: [] },
    {
      name: 'reports the second occurrence once',
      value: { set: ['a', 'a', 'a', 'b', 'b'] },
      then: ['set[1]: Duplicate value: "a"', 'set[4]: Duplicate value: "b"'],
    },
    {
      name: 'rejects duplicate condition types',
      value: { conditions: [{ type: 'A' }, { type: 'A', status: 'x' }] },
      then: ['conditions[1]: Duplicate value: {"type":"A"}'],
    },
    {
      name: 'prints present keys in alphabetical order',
      value: { taints: [{ key: 'k', effect: 'e' }, { effect: 'e', key: 'k' }, { key: 'k' }, { key: 'k' }] },
      then: ['taints[1]: Duplicate value: {"effect":"e","key":"k"}', 'taints[3]: Duplicate value: {"key":"k"}'],
    },
    {
      name: 'compares objects independent of key order',
      value: {
        nested: {
          k: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
      },
      then: ['nested[k][1]: Duplicate value: {"a":1,"b":2}'],
    },
    {
      name: 'requires objects in map lists',
      value: { conditions: ['x'] },
      then: ['conditions[0]: Invalid value: "x": must be an object for an array of list-type map'],
    },
  ];
  it.each(rows)('$name', ({ value, then }) => {
    expect(validateListTypes(schema, value).map(formatFieldError)).toEqual(then);
  });
});

describe('validate', () => {
  const schema: Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        'x-kubernetes-validations': [{ rule: 'true' }],
        properties: { n: { type: 'integer', minimum: 1 } },
      },
      status: { type: 'object', properties: { phase: text } },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      inner: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  };
  const skipped =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation';

  function rules(): { requests: RuleRequest[]; evaluate: (request: RuleRequest) => ReturnType<typeof invalidField>[] } {
    const requests: RuleRequest[] = [];
    return {
      requests,
      evaluate: (request) => {
        requests.push(request);
        return [invalidField('spec', 1, 'rule says no')];
      },
    };
  }

  it('runs rules after structure', () => {
    const evaluator = rules();
    const errors = validate(schema, { spec: { n: 0 } }, { rules: evaluator });
    expect(errors.map(formatFieldError)).toEqual([
      'spec.n: Invalid value: 0: spec.n in body should be greater than or equal to 1',
      'spec: Invalid value: 1: rule says no',
    ]);
    expect(evaluator.requests).toMatchObject([{ schema, old: undefined, path: '', isResource: true }]);
  });

  it('runs CEL rules only without structural errors', () => {
    const evaluator = rules();
    const errors = validate(schema, {}, { rules: evaluator });
    expect(errors.map(formatFieldError)).toEqual(['spec: Required value', skipped]);
    expect(evaluator.requests).toEqual([]);
  });

  it('does not report skipped rules if there are none', () => {
    const plain: Schema = { type: 'object', required: ['spec'] };
    expect(validate(plain, {}, { rules: rules() }).map(formatFieldError)).toEqual(['spec: Required value']);
  });

  it('validates only the structure of status on the status endpoint, and all lists', () => {
    const value = { status: { phase: 1 }, set: ['a', 'a'] };
    expect(validate(schema, value, { subresource: 'status' }).map(formatFieldError)).toEqual([
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
      'set[1]: Duplicate value: "a"',
    ]);
  });

  it('reports changed values next to parts that are shared with the stored object', () => {
    const part: Schema = { type: 'object', properties: { name: { type: 'string', maxLength: 2 } } };
    const schema: Schema = { type: 'object', properties: { kept: part, changed: part } };
    const old = { kept: { name: 'too long' }, changed: { name: 'a' } };
    const errors = validate(schema, { kept: old.kept, changed: { name: 'longer' } }, { old });
    expect(errors.map(({ field }) => field)).toEqual(['changed.name']);
    expect(validate(schema, { kept: old.kept, changed: { name: 'b' } }, { old })).toEqual([]);
  });

  it('tolerates duplicates that are in the stored object', () => {
    const value = { spec: {}, set: ['a', 'a'] };
    expect(validate(schema, value, { old: value })).toEqual([]);
    expect(validate(schema, value, { old: { spec: {}, set: ['a'] } })).toHaveLength(1);
  });

  it('requires apiVersion and kind of embedded objects and passes their metadata on', () => {
    const check = (inner: JsonValue) =>
      validate(
        schema,
        { spec: {}, inner },
        {
          embeddedMetadata: (metadata, path) => [invalidField(path, metadata, 'looked at')],
        },
      ).map(formatFieldError);
    expect(check({})).toEqual(['inner.apiVersion: Required value', 'inner.kind: Required value']);
    expect(check({ apiVersion: 'a/b/c', kind: '', metadata: {} })).toEqual([
      'inner.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'inner.kind: Invalid value: "": must not be empty',
      'inner.metadata: Invalid value: {}: looked at',
    ]);
    expect(check({ apiVersion: 1, kind: 'a b' })[0]).toBe('inner.apiVersion: Invalid value: 1: must be a string');
  });
});
