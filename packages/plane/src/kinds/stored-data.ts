import type { StoredRecord } from '@slipway/apiserver';
import {
  applyDefaults,
  cloneJson,
  type CustomResourceDefinition,
  deepEqual,
  findUnknownFields,
  type Kind,
  type KubeObject,
  type MutableJson,
  parseApiVersion,
  prune,
  type Schema,
  toCustomResourceDefinition,
} from '@slipway/kube';
import { customResourceDefinitions } from '@slipway/runtime';

const definitionsResource = `${customResourceDefinitions.group}/${customResourceDefinitions.plural}`;

/**
 * Returns which API versions of stored objects a program with these kinds does not know, one sentence for each CRD. The server
 * could not read such objects.
 */
export function findUnknownVersions(kinds: readonly Kind[], records: readonly StoredRecord[]): string[] {
  return ownDefinitions(kinds, records).flatMap(({ own, stored }) => {
    const known = new Set(own.spec.versions.map(({ name }) => name));
    const unknown = (stored.status?.storedVersions ?? []).filter((version) => !known.has(version));
    if (unknown.length === 0) return [];
    return [`objects of ${stored.metadata.name ?? ''} are stored in version ${unknown.join(', ')}`];
  });
}

/**
 * Returns which fields of stored objects a program with these kinds would remove, one sentence for each object. Fields with the
 * default value of the stored CRD are not included: the program that knows them would set them again.
 */
export function findUnknownContent(kinds: readonly Kind[], records: readonly StoredRecord[]): string[] {
  const byResource = new Map(
    ownDefinitions(kinds, records).map((pair) => [`${pair.own.spec.group}/${pair.own.spec.names.plural}`, pair]),
  );
  return records.flatMap((record) => {
    const pair = byResource.get(record.key.resource);
    if (pair === undefined) return [];
    const object = record.decode();
    const { version } = parseApiVersion(object.apiVersion);
    const [own, stored] = [schemaOf(pair.own, version), schemaOf(pair.stored, version)];
    const paths = own && stored ? lostFields(object, own, stored) : [];
    const { namespace, name } = record.key;
    return paths.length === 0 ? [] : [`${object.kind} ${namespace}/${name} has ${paths.join(', ')}`];
  });
}

interface DefinitionPair {
  readonly own: CustomResourceDefinition;
  readonly stored: CustomResourceDefinition;
}

/** Returns the CRDs of the program that are stored already, each with the stored one. */
function ownDefinitions(kinds: readonly Kind[], records: readonly StoredRecord[]): DefinitionPair[] {
  const own = new Map(kinds.map((kind) => [`${kind.plural}.${kind.group}`, kind]));
  return records.flatMap((record) => {
    const { key } = record;
    const kind = key.resource === definitionsResource ? own.get(key.name) : undefined;
    if (kind === undefined) return [];
    return [{ own: toCustomResourceDefinition(kind), stored: record.decode() as CustomResourceDefinition }];
  });
}

function schemaOf({ spec }: CustomResourceDefinition, version: string): Schema | undefined {
  return spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}

function lostFields(object: KubeObject, own: Schema, stored: Schema): string[] {
  const value = object as MutableJson;
  const paths = findUnknownFields(own, value);
  if (paths.length === 0) return [];
  const defaulted = cloneJson(value) as MutableJson;
  prune(own, defaulted);
  applyDefaults(stored, defaulted);
  return deepEqual(defaulted, value) ? [] : paths;
}
