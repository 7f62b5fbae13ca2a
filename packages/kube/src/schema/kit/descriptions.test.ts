import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema.js';
import { fieldsWithoutDescription } from './descriptions.js';
import { atomicList, boolean, defineKind, freeObject, list, map, object, optional, string } from './index.js';

function rootWith(fields: Parameters<typeof object>[0], description = 'A widget.'): Schema {
  return defineKind({
    group: 'example.com',
    kind: 'Widget',
    plural: 'widgets',
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, description, schema: fields }],
  }).schemas.get('v1') as Schema;
}

const described = string({ description: 'x is described.' });

describe('fieldsWithoutDescription', () => {
  it('accepts a kind with a description on every field, without one on root metadata', () => {
    const spec = object({ x: optional(described) }, { description: 'spec is the desired state.' });
    expect(fieldsWithoutDescription(rootWith({ spec }))).toEqual([]);
  });

  it('reports the kind itself and blank descriptions', () => {
    expect(fieldsWithoutDescription(rootWith({ x: string({ description: ' ' }) }, ''))).toEqual(['(root)', 'x']);
  });

  it('reports fields of nested objects, list items, nested lists and map values', () => {
    const leaf = object({ x: described, y: boolean() });
    const fields = {
      items: atomicList(leaf, { description: 'A list.' }),
      matrix: list(list(leaf), { description: 'A list of lists.' }),
      nested: object({ metadata: object({}), inner: leaf }, { description: 'An object.' }),
      open: freeObject({ description: 'Keeps unknown fields.' }),
      values: map(list(leaf)),
    };
    expect(fieldsWithoutDescription(rootWith(fields))).toEqual([
      'items[].y',
      'matrix[][].y',
      'nested.inner',
      'nested.inner.y',
      'nested.metadata',
      'values',
      'values.*[].y',
    ]);
  });
});
