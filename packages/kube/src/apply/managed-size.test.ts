import { describe, expect, it } from 'vitest';
import { cloneJson, type JsonObject, type MutableJsonObject } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { exceedsManagedSize } from './managed-size.js';
import { updateManagedFields } from './update-managed-fields.js';

const schema: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    plain: { type: 'array', items: { type: 'integer' } },
    ports: {
      type: 'array',
      items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
  },
};

function managedBytes(object: JsonObject): number {
  const next = cloneJson({ apiVersion: 'v1', kind: 'X', metadata: {}, ...object }) as MutableJsonObject;
  void updateManagedFields({ schema, manager: 'm', apiVersion: 'v1', now: undefined, live: undefined, next });
  const { managedFields } = next['metadata'] as { readonly managedFields?: readonly { readonly fieldsV1: object }[] };
  return JSON.stringify(managedFields?.[0]?.fieldsV1).length;
}

const count = 500;
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe('exceedsManagedSize', () => {
  it.each<{ name: string; object: JsonObject }>([
    { name: 'a keyed list', object: { ports: many((port) => ({ port, protocol: 'TCP' })) } },
    { name: 'a set', object: { names: many((index) => `name-${index}`) } },
    { name: 'a map', object: { data: Object.fromEntries(many((index) => [`key-${index}`, 'x'])) } },
  ])('estimates the size for $name closely, and never above it', ({ object }) => {
    const bytes = managedBytes(object);
    expect(exceedsManagedSize(object, schema, bytes)).toBe(false);
    expect(exceedsManagedSize(object, schema, Math.floor(bytes * 0.9))).toBe(true);
  });

  it('does not count the items of atomic lists', () => {
    expect(exceedsManagedSize({ plain: many((index) => index) }, schema, 100)).toBe(false);
  });
});
