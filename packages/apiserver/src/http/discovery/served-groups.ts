import { createHash } from 'node:crypto';
import { compareVersionPriority } from '@slipway/kube';
import type { ResourceDefinition, ResourceVersionDefinition, Verb } from '../../contract/index.js';

export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ServedSubresource {
  readonly name: string;
  readonly kind: ResponseKind;
  readonly verbs: readonly string[];
}

export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly verbs: readonly string[];
  readonly storageVersionHash: string | undefined;
  readonly subresources: readonly ServedSubresource[];
}

export interface ServedVersion {
  readonly name: string;
  readonly resources: readonly ServedResource[];
}

export interface ServedGroup {
  readonly name: string;
  /** Preferred version first. */
  readonly versions: readonly ServedVersion[];
}

/** Order in which custom resources list their verbs. Built-in resources list them sorted. */
const customVerbs: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const partVerbs = ['get', 'patch', 'update'];

/** Returns served resources by group, in the order of each group's first definition. */
export function servedGroups(definitions: readonly ResourceDefinition[]): ServedGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const definition of definitions) {
    for (const version of definition.versions) {
      if (!version.served) continue;
      const versions = getOrAdd(groups, definition.group, () => new Map<string, ServedResource[]>());
      getOrAdd(versions, version.name, () => []).push(servedResource(definition, version));
    }
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .sort(([left], [right]) => compareVersionPriority(left, right))
      .map(([version, resources]) => ({ name: version, resources: resources.sort(byPlural) })),
  }));
}

function byPlural(left: ServedResource, right: ServedResource): number {
  return left.definition.plural < right.definition.plural ? -1 : 1;
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function servedResource(definition: ResourceDefinition, version: ResourceVersionDefinition): ServedResource {
  const verbs = definition.custom
    ? customVerbs.filter((verb) => (definition.discoveryVerbs ?? definition.verbs).includes(verb))
    : [...definition.verbs].sort();
  return {
    definition,
    verbs,
    storageVersionHash: definition.verbs.includes('list') ? storageVersionHash(definition) : undefined,
    subresources: subresourcesOf(definition, version),
  };
}

/** Computes the storage version hash, which changes with the storage version. Storage migration clients compare it. */
function storageVersionHash(definition: ResourceDefinition): string {
  const text = `${definition.group}/${definition.storageVersion}/${definition.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

function subresourcesOf(definition: ResourceDefinition, version: ResourceVersionDefinition): ServedSubresource[] {
  const own = { group: definition.group, version: version.name, kind: definition.kind };
  const found = new Map<string, ServedSubresource>();
  if (version.subresources.status) found.set('status', { name: 'status', kind: own, verbs: partVerbs });
  if (version.subresources.scale !== undefined) {
    const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    found.set('scale', { name: 'scale', kind, verbs: partVerbs });
  }
  for (const { name, kind, verbs } of definition.subresources)
    found.set(name, { name, kind, verbs: [...verbs].sort() });
  // Subresources of custom resources keep their order: status, then scale.
  if (definition.custom) return [...found.values()];
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
