import type { LoopbackClient } from '../../registry/index.js';
import type { Registry, ResourceDefinition, Revision, Store } from '../../contract/index.js';
import { servedRef } from '../shared/index.js';
import type { Remaining } from './deletion-conditions.js';

/** Returns all namespaced resources that can be deleted: one per collection, even if several groups serve it. */
function namespacedContent(registry: Registry): ResourceDefinition[] {
  const found = new Map<string, ResourceDefinition>();
  for (const definition of registry.definitions()) {
    const { namespaced, verbs, createOnly, storageResource } = definition;
    if (!namespaced || createOnly !== undefined || found.has(storageResource)) continue;
    if (verbs.includes('delete') && verbs.includes('list')) found.set(storageResource, definition);
  }
  return [...found.values()];
}

export interface Content extends Remaining {
  readonly collections: readonly string[];
  /** Store revision at which the remaining content was read. */
  readonly revision: Revision;
}

/** Deletes the content of the namespace and returns what remains. */
export async function deleteContent(
  dependencies: { readonly registry: Registry; readonly store: Store; readonly client: LoopbackClient },
  namespace: string,
): Promise<Content> {
  const content = namespacedContent(dependencies.registry);
  const failures: string[] = [];
  // Delete pods first: they may need their configuration, service accounts and network policies to terminate gracefully.
  const pods = content.filter(({ storageResource }) => storageResource === 'pods');
  await deleteAll(dependencies, pods, namespace, failures);
  if (dependencies.store.list({ resource: 'pods', namespace }).length > 0)
    return { ...count(dependencies.store, pods, namespace), failures };
  const others = content.filter(({ storageResource }) => storageResource !== 'pods');
  await deleteAll(dependencies, others, namespace, failures);
  return { ...count(dependencies.store, content, namespace), failures };
}

async function deleteAll(
  dependencies: { readonly store: Store; readonly client: LoopbackClient },
  definitions: readonly ResourceDefinition[],
  namespace: string,
  failures: string[],
): Promise<void> {
  const filled = definitions.filter(
    ({ storageResource }) => dependencies.store.list({ resource: storageResource, namespace }).length > 0,
  );
  const attempts = filled.map(async (definition) => {
    try {
      await dependencies.client.deleteCollection(servedRef(definition), namespace, { propagationPolicy: 'Background' });
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  });
  await Promise.all(attempts);
}

function count(store: Store, definitions: readonly ResourceDefinition[], namespace: string): Omit<Content, 'failures'> {
  const instances = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const collections: string[] = [];
  for (const { group, plural, storageResource } of definitions) {
    const objects = store.list({ resource: storageResource, namespace });
    if (objects.length === 0) continue;
    collections.push(storageResource);
    instances.set(`${plural}.${group}`, objects.length);
    for (const { object } of objects)
      for (const finalizer of object.metadata.finalizers ?? [])
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { instances, finalizers, collections, revision: store.revision };
}
