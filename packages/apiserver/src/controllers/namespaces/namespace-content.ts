import type { LoopbackClient } from '../../registry/index.js';
import type { Registry, ResourceDefinition, Revision, Store } from '../../contract/index.js';
import { servedRef } from '../shared/index.js';
import type { Remaining } from './deletion-conditions.js';

/** Everything that lives in namespaces and can be deleted; one entry for a collection, however many groups show it. */
function namespacedContent(registry: Registry): ResourceDefinition[] {
  const found = new Map<string, ResourceDefinition>();
  for (const definition of registry.definitions()) {
    const { namespaced, verbs, virtualCreate, storageResource } = definition;
    if (!namespaced || virtualCreate !== undefined || found.has(storageResource)) continue;
    if (verbs.includes('delete') && verbs.includes('list')) found.set(storageResource, definition);
  }
  return [...found.values()];
}

export interface Content extends Remaining {
  readonly collections: readonly string[];
  /** When this was so. */
  readonly revision: Revision;
}

/** Deletes what the namespace holds, and says what is still there. */
export async function deleteContent(
  world: { readonly registry: Registry; readonly store: Store; readonly client: LoopbackClient },
  namespace: string,
): Promise<Content> {
  const content = namespacedContent(world.registry);
  const failures: string[] = [];
  // Pods may need what is around them to end well: their configuration, their accounts, their network policies.
  const pods = content.filter(({ storageResource }) => storageResource === 'pods');
  await deleteAll(world, pods, namespace, failures);
  if (world.store.list({ resource: 'pods', namespace }).length > 0)
    return { ...count(world.store, pods, namespace), failures };
  const others = content.filter(({ storageResource }) => storageResource !== 'pods');
  await deleteAll(world, others, namespace, failures);
  return { ...count(world.store, content, namespace), failures };
}

async function deleteAll(
  world: { readonly store: Store; readonly client: LoopbackClient },
  definitions: readonly ResourceDefinition[],
  namespace: string,
  failures: string[],
): Promise<void> {
  const filled = definitions.filter(
    ({ storageResource }) => world.store.list({ resource: storageResource, namespace }).length > 0,
  );
  const attempts = filled.map(async (definition) => {
    try {
      await world.client.deleteCollection(servedRef(definition), namespace, { propagationPolicy: 'Background' });
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
