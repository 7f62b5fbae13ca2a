import { describe, expect, it } from 'vitest';
import { formatFieldError, invalidField } from '../../errors/index.js';
import type { Schema } from '../schema.js';
import { checkStructural, type SchemaCheckOptions } from './check-structural.js';
import type { RuleCheckRequest } from './rule-check.js';

function check(properties: Record<string, unknown>, rest: object = {}, options: SchemaCheckOptions = {}): string[] {
  const schema = { type: 'object', properties, ...rest } as Schema;
  return checkStructural(schema, { path: 's', ...options }).map(formatFieldError);
}

const text = { type: 'string' };

interface Row {
  readonly name: string;
  readonly a: unknown;
  readonly then: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'accepts a plain field', a: text, then: [] },
  {
    name: 'requires a type for fields',
    a: {},
    then: ['s.properties[a].type: Required value: must not be empty for specified object fields'],
  },
  {
    name: 'requires a type for items',
    a: { type: 'array', items: {} },
    then: ['s.properties[a].items.type: Required value: must not be empty for specified array items'],
  },
  { name: 'requires no type with int-or-string', a: { 'x-kubernetes-int-or-string': true }, then: [] },
  {
    name: 'requires no type with preserve-unknown-fields',
    a: { 'x-kubernetes-preserve-unknown-fields': true },
    then: [],
  },
  {
    name: 'accepts the anyOf pattern of int-or-string',
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    then: [],
  },
  {
    name: 'accepts the anyOf pattern of int-or-string inside allOf',
    a: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
    },
    then: [],
  },
  {
    name: 'rejects other types inside alternatives',
    a: { type: 'object', anyOf: [{ type: 'string', description: 'd', nullable: true, default: 1 }] },
    then: [
      's.properties[a].anyOf[0].default: Forbidden: must be undefined to be structural',
      's.properties[a].anyOf[0].description: Forbidden: must be empty to be structural',
      's.properties[a].anyOf[0].nullable: Forbidden: must be false to be structural',
      's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
    ],
  },
  {
    name: 'rejects extensions and metadata inside alternatives',
    a: {
      type: 'object',
      not: {
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-validations': [{ rule: 'true' }],
        properties: { metadata: {} },
      },
    },
    then: [
      's.properties[a].not.properties[metadata]: Forbidden: must not be specified in a nested context',
      's.properties[a].not.x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      's.properties[a].not.x-kubernetes-validations: Forbidden: must be empty to be structural',
      's.properties[a].not.type: Required value: must be array if x-kubernetes-list-type is specified',
    ],
  },
  {
    name: 'requires items of lists',
    a: { type: 'array' },
    then: ['s.properties[a].items: Required value: must be specified'],
  },
  {
    name: 'requires RE2 patterns',
    a: { type: 'string', pattern: '(?=a)' },
    then: [
      's.properties[a].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: ' +
        'error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  },
  {
    name: 'requires type object for embedded resources',
    a: { type: 'string', 'x-kubernetes-embedded-resource': true },
    then: [
      's.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true ' +
        'without x-kubernetes-preserve-unknown-fields',
      's.properties[a].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
    ],
  },
  {
    name: 'rejects unknown types',
    a: { type: 'file' },
    then: [
      's.properties[a].type: Unsupported value: "file": supported values: "array", "boolean", "integer", "number", ' +
        '"object", "string"',
    ],
  },
  {
    name: 'rejects references',
    a: { type: 'string', $ref: '#/x' },
    then: ['s.properties[a].$ref: Forbidden: $ref is not supported'],
  },
  {
    name: 'rejects uniqueItems',
    a: { type: 'array', items: text, uniqueItems: true },
    then: [
      's.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes ' +
        'quadratic',
    ],
  },
  {
    name: 'rejects properties together with additionalProperties',
    a: { type: 'object', properties: { x: text }, additionalProperties: text },
    then: ['s.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
  },
  {
    name: 'rejects preserve-unknown-fields: false',
    a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    then: ['s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
  },
  {
    name: 'requires keys of map lists to be scalar, declared, required and unique',
    a: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'l', 'l'],
      items: { type: 'object', nullable: true, properties: { k: { type: 'object', nullable: true } } },
    },
    then: [
      's.properties[a].items.properties[k].type: Invalid value: "object": must be a scalar type if parent array\'s ' +
        'x-kubernetes-list-type is map',
      's.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","l","l"]: entries must all be names of item ' +
        'properties',
      's.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","l","l"]: entries must all be names of item ' +
        'properties',
      's.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","l","l"]: must not contain duplicate entries',
      's.properties[a].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
      's.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, ' +
        'so it must have a default or be a required property',
      's.properties[a].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it ' +
        'cannot be nullable',
    ],
  },
  {
    name: 'requires keys for map lists',
    a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } },
    then: [
      's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'requires atomic items in sets',
    a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
    then: [
      's.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with ' +
        'x-kubernetes-list-type=set',
    ],
  },
  {
    name: 'requires valid defaults',
    a: { type: 'string', default: 5 },
    then: ['s.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"'],
  },
  {
    name: 'rejects unknown fields in defaults',
    a: { type: 'object', default: { q: 1, x: 1 }, properties: { x: text } },
    then: [
      's.properties[a].default: Invalid value: {"q":1,"x":1}: must not have unknown fields',
      's.properties[a].default.x: Invalid value: "integer": x in body must be of type string: "integer"',
    ],
  },
  {
    name: 'validates the text fields of rules',
    a: {
      type: 'object',
      properties: { x: text },
      'x-kubernetes-validations': [
        { rule: ' ' },
        { rule: 'a\nb' },
        { rule: 'a', message: ' ' },
        { rule: 'a', message: 'x\ny' },
        { rule: 'a', reason: 'Nope', fieldPath: '.y' },
        { rule: 'a', fieldPath: '.x' },
      ],
    },
    then: [
      's.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified',
      's.properties[a].x-kubernetes-validations[1].message: Required value: message must be specified if rule contains ' +
        'line breaks',
      's.properties[a].x-kubernetes-validations[2].message: Invalid value: " ": must be non-empty if specified',
      's.properties[a].x-kubernetes-validations[3].message: Invalid value: "x\\ny": must not contain line breaks',
      's.properties[a].x-kubernetes-validations[4].reason: Unsupported value: "Nope": supported values: ' +
        '"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      's.properties[a].x-kubernetes-validations[4].fieldPath: Invalid value: ".y": must be a valid path',
    ],
  },
];

describe('checkStructural', () => {
  it.each(rows)('$name', ({ a, then }) => {
    expect(check({ a })).toEqual(then);
  });

  it('rejects invalid keywords at the root', () => {
    expect(
      check({ metadata: { ...text, description: 'x' }, kind: { type: 'integer' } }, { additionalProperties: text }),
    ).toEqual([
      's.additionalProperties: Forbidden: must not be used at the root',
      's.properties[kind].type: Invalid value: "integer": must be string',
      's.properties[metadata].type: Invalid value: "string": must be object',
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is ' +
        'implicitly specified',
      's.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ]);
  });

  it('allows metadata to restrict only name and generateName', () => {
    expect(check({ metadata: { type: 'object', properties: { name: { ...text, maxLength: 5 } } } })).toEqual([]);
  });

  it('rejects defaults in top-level metadata', () => {
    const metadata = { type: 'object', properties: { name: { ...text, default: 'x' } } };
    expect(check({ metadata })).toEqual([
      's.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    ]);
  });

  it('requires every field in alternatives of the root to be specified outside', () => {
    expect(check({}, { oneOf: [{ properties: { q: { minimum: 1 } } }] })).toEqual([
      's.properties[q]: Required value: because it is defined in s.oneOf[0].properties[q]',
    ]);
  });

  it('passes rules with their path and the path that does not correlate', () => {
    const requests: RuleCheckRequest[] = [];
    const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    const keyed = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: text, v: rule } },
    };
    const whole = { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { v: rule } };
    const entries = { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: rule };
    const found = check(
      { plain: { type: 'array', items: rule }, keyed, whole, entries },
      {},
      {
        checkRules: (request) => {
          requests.push(request);
          return [invalidField(request.path, 1, 'seen')];
        },
      },
    );
    expect(found).toEqual(['s: Invalid value: 1: seen']);
    expect(
      requests[0]?.sites.map(({ path, uncorrelatablePath, steps }) => [path, uncorrelatablePath, steps.length]),
    ).toEqual([
      ['s.properties[plain].items', 's.properties[plain]', 2],
      ['s.properties[keyed].items.properties[v]', undefined, 3],
      ['s.properties[whole].properties[v]', undefined, 2],
      ['s.properties[entries].additionalProperties', undefined, 2],
    ]);
  });

  it('does not compile rules of an invalid schema', () => {
    const broken = { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }], properties: { x: {} } };
    let called = false;
    check({ broken }, {}, { checkRules: () => ((called = true), []) });
    expect(called).toBe(false);
  });

  it('evaluates rules on defaults as new and as unchanged values', () => {
    const olds: unknown[] = [];
    const a = { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule: 'true' }] };
    check({ a }, {}, { rules: { evaluate: ({ old }) => (olds.push(old), []) } });
    expect(olds).toEqual(['x', undefined]);
  });

  it('rejects excessive depth', () => {
    let schema: Schema = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth += 1) schema = { type: 'object', properties: { a: schema } };
    expect(checkStructural(schema, { path: 's' }).map(formatFieldError)).toEqual([
      's: Forbidden: must not be nested more than 200 levels deep',
    ]);
  });
});
