import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { findDecodeError } from './decode-errors.js';

const container: Schema = {
  type: 'object',
  refName: 'io.k8s.api.core.v1.Container',
  properties: { name: { type: 'string' }, port: { type: 'integer', format: 'int32' } },
};

const schema: Schema = {
  type: 'object',
  refName: 'io.k8s.api.core.v1.ConfigMap',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    binaryData: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    immutable: { type: 'boolean' },
    count: { 'x-kubernetes-int-or-string': true },
    ratio: { type: 'number' },
    spec: {
      type: 'object',
      refName: 'io.k8s.api.core.v1.PodSpec',
      properties: { containers: { type: 'array', items: container } },
    },
  },
};

const prefix = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';

describe('findDecodeError', () => {
  const rows: readonly { name: string; value: JsonValue; problem: string | undefined }[] = [
    { name: 'fits', value: { data: { a: 'b' }, spec: { containers: [{ port: 1 }] } }, problem: undefined },
    { name: 'lets null through everywhere', value: { data: null, spec: { containers: [null] } }, problem: undefined },
    { name: 'passes unknown fields', value: { what: 1 }, problem: undefined },
    {
      name: 'names struct, path and type of a value in a map',
      value: { data: { a: 1 } },
      problem: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
    {
      name: 'names the innermost struct with the whole path',
      value: { spec: { containers: [{ name: true }] } },
      problem: 'json: cannot unmarshal bool into Go struct field Container.spec.containers.name of type string',
    },
    {
      name: 'names slices of structs by package',
      value: { spec: { containers: 'x' } },
      problem: 'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
    },
    {
      name: 'shows a number that is no integer',
      value: { spec: { containers: [{ port: 1.5 }] } },
      problem: 'json: cannot unmarshal number 1.5 into Go struct field Container.spec.containers.port of type int32',
    },
    {
      name: 'shows a number that does not fit',
      value: { spec: { containers: [{ port: 3_000_000_000 }] } },
      problem:
        'json: cannot unmarshal number 3000000000 into Go struct field Container.spec.containers.port of type int32',
    },
    {
      name: 'names maps',
      value: { data: [] },
      problem: 'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
    },
    {
      name: 'refuses other booleans, ratios and counts',
      value: { immutable: 'yes' },
      problem: 'json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
    },
    {
      name: 'refuses a text for a float',
      value: { ratio: 'x' },
      problem: 'json: cannot unmarshal string into Go struct field ConfigMap.ratio of type float64',
    },
    {
      name: 'refuses an object for a count or percentage',
      value: { count: {} },
      problem: 'json: cannot unmarshal object into Go struct field ConfigMap.count of type intstr.IntOrString',
    },
  ];
  it.each(rows)('$name', ({ value, problem }) => {
    const found = findDecodeError(schema, value, { kind: 'ConfigMap', version: 'v1' });
    expect(found).toBe(problem === undefined ? undefined : prefix + problem);
  });

  // What Go's decoder answers for the same texts.
  it.each<[string, number | undefined]>([
    ['', undefined],
    ['abcd', undefined],
    ['ab==', undefined],
    ['abc=', undefined],
    ['ab\n==', undefined],
    ['a', 0],
    ['ab', 0],
    ['ab=', 3],
    ['abcd=', 4],
    ['a===', 1],
    ['ab=c', 2],
    ['ab!d', 2],
    ['abcdef', 4],
    ['ab==x', 4],
  ])('base64 %j', (text, index) => {
    const found = findDecodeError(schema, { binaryData: { a: text } }, { kind: 'ConfigMap', version: 'v1' });
    expect(found).toBe(index === undefined ? undefined : `${prefix}illegal base64 data at input byte ${index}`);
  });

  it('stops at hostile depth in a schema that contains itself', () => {
    const self: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    self.properties['a'] = self;
    let value: JsonValue = {};
    for (let depth = 0; depth < 100_000; depth += 1) value = { a: value };
    expect(findDecodeError(self, value, { kind: 'K', version: 'v1' })).toContain('exceeded max depth');
  });
});
