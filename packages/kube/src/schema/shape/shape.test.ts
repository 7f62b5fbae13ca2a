import { describe, expect, it } from 'vitest';
import type { MutableJson, MutableJsonObject } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { applyDefaults } from './apply-defaults.js';
import { findUnknownFields, prune } from './prune.js';

const text: Schema = { type: 'string' };

function defaulted(schema: Schema, value: MutableJson): MutableJson {
  const copy = structuredClone(value);
  applyDefaults(schema, copy);
  return copy;
}

describe('applyDefaults', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      plain: text,
      name: { type: 'string', default: 'x' },
      maybe: { type: 'string', nullable: true, default: 'y' },
      parent: { type: 'object', properties: { child: { type: 'integer', default: 1 } } },
      filled: { type: 'object', default: {}, properties: { child: { type: 'integer', default: 2 } } },
      items: { type: 'array', items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } } },
      values: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
      },
    },
  };
  const base = { name: 'x', maybe: 'y', filled: { child: 2 } };
  const rows: readonly { name: string; value: MutableJson; then: MutableJson }[] = [
    { name: 'fills absent keys', value: {}, then: base },
    { name: 'keeps existing values, including the empty string', value: { name: '' }, then: { ...base, name: '' } },
    { name: 'replaces null with the default', value: { name: null }, then: base },
    { name: 'keeps null if nullable', value: { maybe: null }, then: { ...base, maybe: null } },
    { name: 'drops other nulls', value: { plain: null }, then: base },
    { name: 'descends only into existing objects', value: { parent: {} }, then: { ...base, parent: { child: 1 } } },
    { name: 'defaults items', value: { items: [{}] }, then: { ...base, items: [{ protocol: 'TCP' }] } },
    { name: 'keeps null items', value: { items: [null] }, then: { ...base, items: [null] } },
    { name: 'defaults values of maps', value: { values: { k: {} } }, then: { ...base, values: { k: { n: 3 } } } },
    { name: 'drops null values of maps', value: { values: { k: null } }, then: { ...base, values: {} } },
  ];
  it.each(rows)('$name', ({ value, then }) => {
    expect(defaulted(schema, value)).toEqual(then);
  });

  it('sets a separate copy of the default in each object', () => {
    const one: MutableJsonObject = {};
    const two: MutableJsonObject = {};
    applyDefaults(schema, one);
    applyDefaults(schema, two);
    expect(one['filled']).not.toBe(two['filled']);
  });

  it('applies the default of a key named like a member of Object.prototype', () => {
    const odd: Schema = { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string","default":"x"}}') };
    const value: MutableJsonObject = {};
    applyDefaults(odd, value);
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('prune', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: text } },
      list: { type: 'array', items: { type: 'object', properties: { p: text } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { z: text } } },
      free: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { known: { type: 'object', properties: { k: text } } },
      },
      freeList: {
        type: 'array',
        'x-kubernetes-preserve-unknown-fields': true,
        items: { type: 'object', properties: { known: { type: 'object', properties: { k: text } } } },
      },
      embedded: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { spec: { type: 'object', properties: { s: text } } },
      },
      open: { type: 'object', additionalProperties: true },
    },
  };
  const rows: readonly { name: string; value: MutableJson; then: MutableJson; unknown: readonly string[] }[] = [
    {
      name: 'removes unknown fields',
      value: { q: 1, a: { b: 'x', q: {} } },
      then: { a: { b: 'x' } },
      unknown: ['a.q', 'q'],
    },
    {
      name: 'prunes below lists and maps',
      value: { list: [{ q: 1, p: '1' }], map: { 'k.k': { zz: 1 } } },
      then: { list: [{ p: '1' }], map: { 'k.k': {} } },
      unknown: ['list[0].q', 'map.k.k.zz'],
    },
    {
      name: 'preserves only unspecified children of a node with preserve-unknown-fields',
      value: { free: { any: { deep: 1 }, known: { k: '1', q: 1 } } },
      then: { free: { any: { deep: 1 }, known: { k: '1' } } },
      unknown: ['free.known.q'],
    },
    {
      name: 'keeps unknown fields of items of a list with preserve-unknown-fields',
      value: { freeList: [{ any: 1, known: { q: 1 } }] },
      then: { freeList: [{ any: 1, known: {} }] },
      unknown: ['freeList[0].known.q'],
    },
    {
      name: 'keeps apiVersion, kind and the known metadata of a resource',
      value: {
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'a', labels: { x: 'y' }, what: 1, ownerReferences: [{ uid: '1', foo: 2 }] },
      },
      then: {
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'a', labels: { x: 'y' }, ownerReferences: [{ uid: '1' }] },
      },
      unknown: ['metadata.ownerReferences[0].foo', 'metadata.what'],
    },
    {
      name: 'keeps apiVersion, kind and the known metadata of embedded resources',
      value: { embedded: { apiVersion: 'v1', kind: 'K', metadata: { name: 'a', q: 1 }, spec: { s: '1', q: 1 }, q: 1 } },
      then: { embedded: { apiVersion: 'v1', kind: 'K', metadata: { name: 'a' }, spec: { s: '1' } } },
      unknown: ['embedded.metadata.q', 'embedded.q', 'embedded.spec.q'],
    },
    {
      name: 'removes all fields of the values of an open map',
      value: { open: { a: 1, b: { c: 1 } } },
      then: { open: { a: 1, b: {} } },
      unknown: ['open.b.c'],
    },
    {
      name: 'treats __proto__ and constructor as ordinary keys',
      value: JSON.parse('{"a":{"__proto__":{"x":1},"constructor":1}}') as MutableJson,
      then: { a: {} },
      unknown: ['a.__proto__', 'a.constructor'],
    },
  ];
  it.each(rows)('$name', ({ value, then, unknown }) => {
    expect(findUnknownFields(schema, value)).toEqual(unknown);
    const copy = structuredClone(value);
    prune(schema, copy);
    expect(copy).toEqual(then);
  });

  it('uses only the schema for a value that is not a resource', () => {
    const value: MutableJsonObject = { kind: 'x', a: {} };
    prune(schema, value, { isResource: false });
    expect(value).toEqual({ a: {} });
  });
});
