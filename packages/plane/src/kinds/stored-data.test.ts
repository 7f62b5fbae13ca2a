import type { StoredRecord } from '@slipway/apiserver';
import { type Kind, type KubeObject, toCustomResourceDefinition } from '@slipway/kube';
import { defineKind, object, optional, string } from '@slipway/kube/kit';
import { describe, expect, it } from 'vitest';
import { findUnknownContent, findUnknownVersions } from './stored-data.js';

const gadget = (version: string, fields: Parameters<typeof object>[0]): Kind =>
  defineKind({
    group: 'example.com',
    kind: 'Gadget',
    plural: 'gadgets',
    scope: 'Namespaced',
    versions: [{ name: version, served: true, storage: true, schema: { spec: optional(object(fields)) } }],
  });
const known = { size: optional(string()) };
const own = gadget('v1', known);

function record(resource: string, namespace: string, stored: KubeObject): StoredRecord {
  return { key: { resource, namespace, name: stored.metadata.name ?? '' }, decode: () => stored };
}

/** Records of a store in which another version has written the CRD and one object. */
function stored(kind: Kind, version: string, spec: object): StoredRecord[] {
  const definition = { ...toCustomResourceDefinition(kind), status: { storedVersions: [version] } };
  const instance = { apiVersion: `example.com/${version}`, kind: 'Gadget', metadata: { name: 'a' }, spec };
  return [
    record('apiextensions.k8s.io/customresourcedefinitions', '', definition as unknown as KubeObject),
    record('example.com/gadgets', 'default', instance as KubeObject),
    record('configmaps', 'default', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }),
  ];
}

describe('the check of stored data', () => {
  it('accepts API versions and fields that the program knows', () => {
    const records = stored(own, 'v1', { size: 'large' });
    expect([findUnknownVersions([own], records), findUnknownContent([own], records)]).toEqual([[], []]);
  });

  it('names the CRD whose objects are stored in an unknown API version', () => {
    const records = stored(gadget('v2', known), 'v2', {});
    expect(findUnknownVersions([own], records)).toEqual(['objects of gadgets.example.com are stored in version v2']);
  });

  it('names objects with fields that the program would remove', () => {
    const newer = gadget('v1', { ...known, color: optional(string()) });
    const records = stored(newer, 'v1', { size: 'large', color: 'red' });
    expect(findUnknownContent([own], records)).toEqual(['Gadget default/a has spec.color']);
  });

  it('ignores unknown fields that have their default value', () => {
    const newer = gadget('v1', { ...known, color: optional(string({ default: 'red' })) });
    expect(findUnknownContent([own], stored(newer, 'v1', { color: 'red' }))).toEqual([]);
    expect(findUnknownContent([own], stored(newer, 'v1', { color: 'blue' }))).toHaveLength(1);
  });

  it('ignores CRDs of other programs', () => {
    expect(findUnknownVersions([], stored(gadget('v2', known), 'v2', {}))).toEqual([]);
  });
});
