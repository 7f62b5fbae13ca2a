import type { Clock } from '@slipway/base';
import { asJson, asObject, cloneJson, conflict, formatTime, type KubeObject, notFound } from '@slipway/kube';
import type { PodHooks } from '../kinds/index.js';
import { LoopbackClient } from '../registry/index.js';
import type { Registry, StorageKey, Store } from '../contract/index.js';
import { RevisionMismatch } from '../storage/index.js';

const conflictRetriesMax = 5;

/**
 * Returns the hooks for binding and eviction. They write pods and budgets directly to the store, bypassing the update strategy.
 */
export function podHooks(store: Store, registry: Registry, clock: Clock): PodHooks {
  const client = new LoopbackClient(registry, 'kube-apiserver');
  const change = (key: StorageKey, mutate: (object: KubeObject) => void, dryRun: boolean): Promise<void> =>
    changeStored(store, key, mutate, dryRun);
  return {
    now: () => formatTime(clock.now()),
    operations: {
      getPod(namespace, name) {
        const stored = store.get({ resource: 'pods', namespace, name });
        if (stored === undefined) throw notFound({ group: '', resource: 'pods' }, name);
        return stored.object;
      },
      changePod: (namespace, name, mutate, dryRun) => change({ resource: 'pods', namespace, name }, mutate, dryRun),
      async deletePod(namespace, name, options) {
        await client.delete({ group: '', version: 'v1', resource: 'pods' }, namespace, name, options);
      },
      budgets: (namespace) => store.list({ resource: budgets, namespace }).map((stored) => stored.object),
      changeBudget: (namespace, name, mutate, dryRun) => change({ resource: budgets, namespace, name }, mutate, dryRun),
    },
  };
}

const budgets = 'policy/poddisruptionbudgets';

async function changeStored(
  store: Store,
  key: StorageKey,
  mutate: (object: KubeObject) => void,
  dryRun: boolean,
): Promise<void> {
  const resource = {
    group: key.resource.includes('/') ? 'policy' : '',
    resource: key.resource.split('/').at(-1) ?? '',
  };
  for (let attempt = 1; ; attempt += 1) {
    const stored = store.get(key);
    if (stored === undefined) throw notFound(resource, key.name);
    const object = asObject(cloneJson(asJson(stored.object)));
    mutate(object);
    if (dryRun) return;
    try {
      await store.commit({ key, expected: stored.revision, object });
      return;
    } catch (error) {
      if (!(error instanceof RevisionMismatch)) throw error;
      if (attempt === conflictRetriesMax) throw conflict(resource, key.name);
    }
  }
}
