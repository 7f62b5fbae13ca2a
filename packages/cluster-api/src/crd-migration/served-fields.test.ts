import { describe, expect, it } from 'vitest';
import { type ManagedFields, withServedFields } from './served-fields.js';

const entry = (manager: string, apiVersion: string): ManagedFields[number] => ({
  manager,
  operation: 'Update',
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': {} },
});
const served = new Set(['g/v1', 'g/v2']);
const storage = { apiVersion: 'g/v2', nowMs: 0 };

describe('withServedFields', () => {
  it.each([
    ['leaves what is served', [entry('a', 'g/v1'), entry('b', 'g/v2')], undefined],
    ['leaves nothing alone', [], undefined],
    ['takes away what is not', [entry('a', 'g/v0'), entry('b', 'g/v2')], [entry('b', 'g/v2')]],
    [
      'leaves one in any case',
      [entry('a', 'g/v0'), entry('b', 'g/v0')],
      [
        {
          manager: 'a',
          operation: 'Update',
          apiVersion: 'g/v2',
          time: '1970-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:name': {} } },
        },
      ],
    ],
  ] as const)('%s', (_name, fields, then) => {
    expect(withServedFields(fields, served, storage)).toEqual(then);
  });
});
