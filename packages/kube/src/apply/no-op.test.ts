import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/index.js';
import { sameExceptManagedFieldTimes } from './no-op.js';
import { widget } from './testing/widget.js';

const entry = (manager: string, time: string, fieldsV1: JsonObject = {}): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1,
});
const managed = (spec: JsonObject, ...managedFields: JsonObject[]): JsonObject => widget(spec, {}, { managedFields });

describe('sameExceptManagedFieldTimes', () => {
  const one = managed({ size: 1 }, entry('a', '1'), entry('b', '2'));
  const rows: [string, JsonObject, boolean][] = [
    ['itself', one, true],
    ['other times', managed({ size: 1 }, entry('a', '3'), entry('b', '2')), true],
    ['other times and thus another order', managed({ size: 1 }, entry('b', '2'), entry('a', '3')), true],
    [
      'a missing time',
      managed({ size: 1 }, { ...entry('a', ''), time: undefined as unknown as string }, entry('b', '2')),
      true,
    ],
    ['another value', managed({ size: 2 }, entry('a', '1'), entry('b', '2')), false],
    ['another set', managed({ size: 1 }, entry('a', '1', { 'f:x': {} }), entry('b', '2')), false],
    ['a missing entry', managed({ size: 1 }, entry('a', '1')), false],
    ['a duplicate entry', managed({ size: 1 }, entry('a', '1'), entry('a', '1')), false],
    ['missing entries', widget({ size: 1 }), false],
    [
      'another label',
      widget({ size: 1 }, {}, { labels: { a: 'b' }, managedFields: [entry('a', '1'), entry('b', '2')] }),
      false,
    ],
  ];
  it.each(rows)('compares %s', (_name, other, same) => {
    expect(sameExceptManagedFieldTimes(one, other)).toBe(same);
    expect(sameExceptManagedFieldTimes(other, one)).toBe(same);
  });
});
