import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { validateStructure } from './validate-structure.js';

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly value: JsonValue;
  /** Expected errors as `reason | field: message`, as upstream's validators return them. */
  readonly then: readonly string[];
}

function run(schema: Schema, value: JsonValue, old?: JsonValue): string[] {
  const root: Schema = { type: 'object', properties: { a: schema } };
  const options = old === undefined ? {} : { old: { a: old } };
  return validateStructure(root, { a: value }, options).map(
    (error) => `${error.reason.replace('FieldValue', '')} | ${formatFieldError(error)}`,
  );
}

const scalars: readonly Row[] = [
  { name: 'accepts a string', schema: { type: 'string' }, value: 'x', then: [] },
  {
    name: 'reports the actual type',
    schema: { type: 'number' },
    value: 'x',
    then: ['TypeInvalid | a: Invalid value: "string": a in body must be of type number: "string"'],
  },
  {
    name: 'rejects null if not nullable',
    schema: { type: 'string' },
    value: null,
    then: ['TypeInvalid | a: Invalid value: "null": a in body must be of type string: "null"'],
  },
  { name: 'accepts null if nullable', schema: { type: 'string', nullable: true }, value: null, then: [] },
  {
    name: 'reports 1.5 for an integer as a wrong type and out of range',
    schema: { type: 'integer' },
    value: 1.5,
    then: [
      'TypeInvalid | a: Invalid value: "number": a in body must be of type integer: "number"',
      'Invalid | <nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
    ],
  },
  {
    name: 'rejects values out of the int32 range',
    schema: { type: 'integer', format: 'int32' },
    value: 3_000_000_000,
    then: ['Invalid | <nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
  },
  {
    name: 'compares 64-bit integers exactly',
    schema: { type: 'integer', maximum: 5 },
    value: 9007199254740993n,
    then: ['Invalid | a: Invalid value: 9007199254740993: a in body should be less than or equal to 5'],
  },
  {
    name: 'reports the format instead of the type of scalars',
    schema: { type: 'string', format: 'date-time' },
    value: 5,
    then: ['TypeInvalid | a: Invalid value: "int64": a in body must be of type date-time: "int64"'],
  },
  {
    name: 'reports an empty format for a value without one',
    schema: { type: 'integer', format: 'int32' },
    value: true,
    then: ['TypeInvalid | a: Invalid value: "": a in body must be of type int32: ""'],
  },
  {
    name: 'reports an invalid format as a wrong type',
    schema: { type: 'string', format: 'ipv4' },
    value: 'b',
    then: ['TypeInvalid | a: Invalid value: "b": a in body must be of type ipv4: "b"'],
  },
  { name: 'ignores unknown formats', schema: { type: 'string', format: 'nonsense' }, value: 'b', then: [] },
  {
    name: 'reports both types of int-or-string',
    schema: { 'x-kubernetes-int-or-string': true, pattern: '^a' },
    value: true,
    then: ['TypeInvalid | a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"'],
  },
  {
    name: 'applies patterns of int-or-string to strings only',
    schema: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' },
    value: 5,
    then: [],
  },
  {
    name: 'lists the supported values of an enum',
    schema: { type: 'string', enum: ['a', 'b'] },
    value: 'q',
    then: ['NotSupported | a: Unsupported value: "q": supported values: "a", "b"'],
  },
  {
    name: 'quotes numbers of an enum and also reports the wrong type',
    schema: { type: 'string', enum: [1, 'x'] },
    value: 5,
    then: [
      'TypeInvalid | a: Invalid value: "integer": a in body must be of type string: "integer"',
      'NotSupported | a: Unsupported value: 5: supported values: "1", "x"',
    ],
  },
  {
    name: 'rejects null in a nullable field whose enum does not contain null',
    schema: { type: 'string', nullable: true, enum: ['a'] },
    value: null,
    then: ['NotSupported | a: Unsupported value: null: supported values: "a"'],
  },
  {
    name: 'accepts null in a nullable field whose enum contains null',
    schema: { type: 'string', nullable: true, enum: ['a', null] },
    value: null,
    then: [],
  },
  {
    name: 'counts code points for maxLength',
    schema: { type: 'string', maxLength: 5 },
    value: '😀😀😀😀😀',
    then: [],
  },
  {
    name: 'reports maxLength in bytes, like upstream',
    schema: { type: 'string', maxLength: 5 },
    value: '😀😀😀😀😀x',
    then: ['TooLong | a: Too long: may not be more than 5 bytes'],
  },
  {
    name: 'reports one byte in the singular',
    schema: { type: 'string', maxLength: 1 },
    value: 'xx',
    then: ['TooLong | a: Too long: may not be more than 1 byte'],
  },
  {
    name: 'counts code points for minLength and does not report the pattern as well',
    schema: { type: 'string', minLength: 2, pattern: '^a+$' },
    value: '😀',
    then: ['Invalid | a: Invalid value: "😀": a in body should be at least 2 chars long'],
  },
  {
    name: 'reports the pattern',
    schema: { type: 'string', pattern: '^a+$' },
    value: 'b',
    then: ['Invalid | a: Invalid value: "b": a in body should match \'^a+$\''],
  },
  { name: 'does not anchor patterns', schema: { type: 'string', pattern: 'b' }, value: 'abc', then: [] },
  {
    name: 'minimum',
    schema: { type: 'integer', minimum: 1 },
    value: 0,
    then: ['Invalid | a: Invalid value: 0: a in body should be greater than or equal to 1'],
  },
  {
    name: 'validates exclusive bounds',
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
    value: 1,
    then: ['Invalid | a: Invalid value: 1: a in body should be greater than 1'],
  },
  {
    name: 'formats floats like Go',
    schema: { type: 'number', maximum: 1e7, exclusiveMaximum: true },
    value: 10000000.5,
    then: ['Invalid | a: Invalid value: 1.00000005e+07: a in body should be less than 1e+07'],
  },
  {
    name: 'formats small floats with an exponent',
    schema: { type: 'number', maximum: 0.00001 },
    value: 0.5,
    then: ['Invalid | a: Invalid value: 0.5: a in body should be less than or equal to 1e-05'],
  },
  {
    name: 'reports multipleOf before minimum',
    schema: { type: 'integer', minimum: 3, multipleOf: 2 },
    value: 1,
    then: [
      'Invalid | a: Invalid value: 1: a in body should be a multiple of 2',
      'Invalid | a: Invalid value: 1: a in body should be greater than or equal to 3',
    ],
  },
  {
    name: 'accepts multiples of decimal fractions',
    schema: { type: 'number', multipleOf: 0.1 },
    value: 0.7,
    then: [],
  },
  {
    name: 'compares multiples of large numbers exactly',
    schema: { type: 'integer', multipleOf: 3 },
    value: 9007199254740993n,
    then: [],
  },
  {
    name: 'reports a bound that is not an integer',
    schema: { type: 'integer', minimum: 1.5 },
    value: 1,
    then: [
      'Invalid | <nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in a',
      'Invalid | a: Invalid value: 1: a in body should be greater than or equal to 1.5',
    ],
  },
];

const text: Schema = { type: 'string' };
const pair: Schema = { type: 'object', properties: { x: text, y: text } };

const containers: readonly Row[] = [
  {
    name: 'reports required fields by path',
    schema: { type: 'object', required: ['x'], properties: { x: text } },
    value: {},
    then: ['Required | a.x: Required value'],
  },
  {
    name: 'does not treat members of Object.prototype as fields',
    schema: { type: 'object', required: ['constructor'], properties: { constructor: text, toString: text } },
    value: {},
    then: ['Required | a.constructor: Required value'],
  },
  {
    name: 'joins map keys to the path with a dot',
    schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
    value: { 'k.x': 'abc', q: 1 },
    then: [
      'TooLong | a.k.x: Too long: may not be more than 2 bytes',
      'TypeInvalid | a.q: Invalid value: "integer": a.q in body must be of type string: "integer"',
    ],
  },
  {
    name: 'validates minProperties and maxProperties',
    schema: { type: 'object', minProperties: 5, maxProperties: 1, additionalProperties: text },
    value: { a: '1', b: '2' },
    then: [
      'Invalid | a: Invalid value: 2: a in body should have at least 5 properties',
      'TooMany | a: Too many: 2: must have at most 1 item',
    ],
  },
  {
    name: 'reports the number of items after the items',
    schema: { type: 'array', items: text, minItems: 4, maxItems: 2 },
    value: ['x', null, 1],
    then: [
      'TypeInvalid | a[1]: Invalid value: "null": a[1] in body must be of type string: "null"',
      'TypeInvalid | a[2]: Invalid value: "integer": a[2] in body must be of type string: "integer"',
      'Invalid | a: Invalid value: 3: a in body should have at least 4 items',
      'TooMany | a: Too many: 3: must have at most 2 items',
    ],
  },
  {
    name: 'reports the best failure of oneOf',
    schema: { ...pair, oneOf: [{ required: ['x'] }, { required: ['y'] }] },
    value: {},
    then: [
      'Invalid | <nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
      'Required | a.x: Required value',
    ],
  },
  {
    name: 'counts the matching alternatives of oneOf',
    schema: { ...pair, oneOf: [{ required: ['x'] }, { required: ['y'] }] },
    value: { x: '1', y: '2' },
    then: [
      'Invalid | <nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'reports the alternative of anyOf with the most applied checks',
    schema: { ...pair, anyOf: [{ required: ['y'] }, { properties: { x: { enum: ['1'] } } }] },
    value: { x: '2' },
    then: [
      'Invalid | <nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
      'NotSupported | a.x: Unsupported value: "2": supported values: "1"',
    ],
  },
  {
    name: 'reports all failures of allOf',
    schema: { ...pair, allOf: [{ required: ['x'] }, { required: ['y'] }] },
    value: {},
    then: [
      'Required | a.x: Required value',
      'Required | a.y: Required value',
      'Invalid | <nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    name: 'not',
    schema: { ...pair, not: { required: ['x'] } },
    value: { x: '1' },
    then: ['Invalid | <nil>: Invalid value: "": "a" must not validate the schema (not)'],
  },
];

describe('validateStructure', () => {
  it.each([...scalars, ...containers])('$name', ({ schema, value, then }) => {
    expect(run(schema, value)).toEqual(then);
  });

  it('reports all errors together', () => {
    const schema: Schema = { type: 'object', required: ['z'], properties: { x: text, y: { type: 'integer' } } };
    expect(run(schema, { x: 1, y: 'a' })).toHaveLength(3);
  });

  it('adds the prefix to fields but not to messages', () => {
    const errors = validateStructure({ type: 'object', properties: { n: text } }, { n: 1 }, { path: 'status' });
    expect(errors.map(formatFieldError)).toEqual([
      'status.n: Invalid value: "integer": n in body must be of type string: "integer"',
    ]);
  });

  it('matches hostile patterns in linear time', () => {
    expect(run({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(200_000)}b`)).toHaveLength(1);
  });

  it('limits the depth in a recursive schema', () => {
    const self: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    self.properties['a'] = self;
    let value: JsonValue = {};
    for (let depth = 0; depth < 100_000; depth += 1) value = { a: value };
    expect(validateStructure(self, value)).toHaveLength(1);
  });
});

describe('ratcheting of schema validation', () => {
  const item: Schema = {
    type: 'object',
    properties: { name: text, size: { type: 'integer', minimum: 5 } },
  };
  const listOf = (listType: 'atomic' | 'set' | 'map'): Schema => ({
    type: 'array',
    items: item,
    'x-kubernetes-list-type': listType,
    ...(listType === 'map' ? { 'x-kubernetes-list-map-keys': ['name'] } : {}),
  });
  const tooSmall = (path: string) =>
    `Invalid | ${path}: Invalid value: 1: ${path} in body should be greater than or equal to 5`;

  it('does not report an unchanged invalid subtree', () => {
    expect(run({ ...item }, { name: 'new', size: 1 }, { name: 'old', size: 1 })).toEqual([]);
  });

  it('reports an invalid node after any change in it', () => {
    const schema: Schema = { ...item, required: ['other'] };
    expect(run(schema, { name: 'b' }, { name: 'a' })).toEqual(['Required | a.other: Required value']);
    expect(run(schema, { name: 'a' }, { name: 'a' })).toEqual([]);
  });

  it('correlates items of map lists by key, in any order', () => {
    const old = [
      { name: 'x', size: 1 },
      { name: 'y', size: 9 },
    ];
    expect(
      run(
        listOf('map'),
        [
          { name: 'y', size: 8 },
          { name: 'x', size: 1 },
        ],
        old,
      ),
    ).toEqual([]);
    expect(run(listOf('map'), [{ name: 'z', size: 1 }], old)).toEqual([tooSmall('a[0].size')]);
  });

  it.each(['atomic', 'set'] as const)('correlates %s lists only as a whole', (listType) => {
    const old = [{ name: 'x', size: 1 }];
    expect(run(listOf(listType), [{ name: 'x', size: 1 }], old)).toEqual([]);
    expect(
      run(
        listOf(listType),
        [
          { name: 'x', size: 1 },
          { name: 'y', size: 9 },
        ],
        old,
      ),
    ).toEqual([tooSmall('a[0].size')]);
  });

  it('correlates map entries by key', () => {
    const schema: Schema = { type: 'object', additionalProperties: item };
    const old = { k: { name: 'x', size: 1 } };
    expect(run(schema, { k: { name: 'changed', size: 1 }, l: { size: 1 } }, old)).toEqual([tooSmall('a.l.size')]);
  });

  it('always reports invalid apiVersion and kind', () => {
    const schema: Schema = { type: 'object', properties: { kind: { type: 'string', enum: ['A'] } } };
    expect(validateStructure(schema, { kind: 'B', x: 1 }, { old: { kind: 'B' } })).toHaveLength(1);
  });
});
