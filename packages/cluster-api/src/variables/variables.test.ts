import { formatFieldError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { defaultOverrides, defaultVariables } from './default-variables.js';
import { validateOverrides, validateVariables, validateVariableSchema } from './validate-variables.js';
import type { VariableStatus } from './variable-definition.js';
import type { VariableSchema } from './variable-schema.js';

type OpenApi = VariableSchema['openAPIV3Schema'];

function nested(levels: number): OpenApi {
  let schema: OpenApi = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'array', items: schema };
  return schema;
}

function variable(name: string, schema: OpenApi, required = false): VariableStatus {
  return { name, definitions: [{ from: 'inline', required, schema: { openAPIV3Schema: schema } }] };
}

const definitions = [
  variable('size', { type: 'integer', minimum: 1, default: 3 }),
  variable('image', { type: 'string' }, true),
  variable('proxy', {
    type: 'object',
    properties: { port: { type: 'integer', default: 3128 }, host: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: "self.host != 'bad'", message: 'no bad host' }],
  }),
];

describe('defaults', () => {
  it('adds variables with a default and defaults nested fields', () => {
    expect(defaultVariables([{ name: 'proxy', value: { host: 'h' } }], definitions)).toEqual([
      { name: 'proxy', value: { host: 'h', port: 3128 } },
      { name: 'size', value: 3 },
    ]);
  });

  it('adds nothing to overrides', () => {
    expect(defaultOverrides([{ name: 'proxy', value: {} }], definitions)).toEqual([
      { name: 'proxy', value: { port: 3128 } },
    ]);
  });

  it('skips variables with conflicting definitions', () => {
    const conflict = definitions.map((definition) => ({ ...definition, definitionsConflict: true }));
    expect(defaultVariables([], conflict)).toEqual([]);
  });
});

describe('validation', () => {
  const path = 'spec.topology.variables';
  const image = { name: 'image', value: 'i' };
  const rows = [
    { name: 'accepts valid values', values: [image, { name: 'size', value: 1 }], problems: [] },
    {
      name: 'requires required variables',
      values: [],
      problems: [`${path}: Required value: required variable "image" must be set`],
    },
    {
      name: 'rejects unknown variables',
      values: [image, { name: 'other', value: 1 }],
      problems: [`${path}[1].name: Invalid value: "other": variable is not defined in the ClusterClass`],
    },
    {
      name: 'validates minimum and maximum',
      values: [image, { name: 'size', value: 0 }],
      problems: [expect.stringContaining(`${path}[1].value: Invalid value: 0`)],
    },
    {
      name: 'validates nested types',
      values: [image, { name: 'proxy', value: { host: 'h', port: 'x' } }],
      problems: [
        expect.stringContaining(`${path}[1].value.port: Invalid value: "string"`),
        expect.stringContaining('some validation rules were not checked'),
      ],
    },
    {
      name: 'rejects fields that are not in the schema',
      values: [image, { name: 'proxy', value: { host: 'h', user: 'u' } }],
      problems: [`${path}[1].value: Invalid value: "proxy.user": field is not specified in the variable schema`],
    },
    {
      name: 'validates CEL rules',
      values: [image, { name: 'proxy', value: { host: 'bad' } }],
      problems: [expect.stringContaining('no bad host')],
    },
  ];
  it.each(rows)('$name', ({ values, problems }) => {
    expect(validateVariables(path, values, definitions).map(formatFieldError)).toEqual(problems);
  });

  it('requires no variables in overrides', () => {
    expect(validateOverrides(path, [], definitions)).toEqual([]);
  });
});

describe('schemas of variables', () => {
  const rows: { name: string; schema: OpenApi; valid: boolean }[] = [
    { name: 'accepts a string', schema: { type: 'string', default: 'a' }, valid: true },
    { name: 'rejects a default of another type', schema: { type: 'string', default: 1 }, valid: false },
    { name: 'rejects invalid sub-schemas', schema: { type: 'object', properties: { a: 'text' } }, valid: false },
    { name: 'rejects values that are not lists', schema: { type: 'object', oneOf: 'text' }, valid: false },
    { name: 'rejects unknown keywords', schema: { type: 'array', items: { type: 'string', x: 1 } }, valid: false },
    { name: 'rejects unlimited nesting', schema: nested(5_000), valid: false },
    { name: 'rejects schemas without a type', schema: { description: 'x' }, valid: false },
    {
      name: 'rejects rules that do not compile',
      schema: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self +' }] },
      valid: false,
    },
  ];
  it.each(rows)('$name', ({ schema, valid }) => {
    expect(validateVariableSchema('spec.variables[0]', 'a', { openAPIV3Schema: schema }).length === 0).toBe(valid);
  });
});
