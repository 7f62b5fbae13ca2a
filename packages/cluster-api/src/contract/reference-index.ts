import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Index, keyOf, mapToOwner, type Resource, type Sources, type Watch } from '@slipway/runtime';
import type { ObjectReference } from './follow-reference.js';

/** Returns an index of objects by the provider objects they reference. */
export function referenceIndex<T extends KubeObject>(
  referencesOf: (object: Frozen<T>) => readonly (ObjectReference | undefined)[],
): Index<T> {
  return {
    name: 'references',
    valuesOf: (object) =>
      referencesOf(object).flatMap((reference) =>
        reference === undefined
          ? []
          : [referenceText(reference.apiGroup, reference.kind, namespaceOf(object), reference.name)],
      ),
  };
}

/** Maps a provider object to its owners, and to objects that reference it by name but do not own it yet. */
export function mapToReferrer<T extends KubeObject>(
  sources: Sources,
  owner: Resource<T>,
  index: Index<T>,
): Watch['map'] {
  const owners = mapToOwner(owner);
  return (object) => {
    const { group } = parseApiVersion(object.apiVersion);
    const text = referenceText(group, object.kind, namespaceOf(object), object.metadata.name ?? '');
    const waiting = sources.sourceFor(owner).byIndex(index, text);
    return [...owners(object), ...waiting.map((each) => keyOf(each as Frozen<KubeObject>))];
  };
}

function namespaceOf(object: Pick<Frozen<KubeObject>, 'metadata'>): string {
  return object.metadata.namespace ?? '';
}

function referenceText(group: string, kind: string, namespace: string, name: string): string {
  return `${kind}.${group}/${namespace}/${name}`;
}
