import { type ObjectStore, RevisionMismatch, type StorageKey } from '@slipway/apiserver';
import type { Clock, Random } from '@slipway/base';
import { formatTime, type Frozen, generateUid, type KubeObject, type Thawed } from '@slipway/kube';
import { edit } from '@slipway/runtime';

/** An object and the storage location of its kind. */
export interface Placed {
  readonly resource: string;
  readonly object: KubeObject;
}

/**
 * Writes the objects of kubeadm, kubelets and the control plane directly to the store. They are complete: admission does not
 * taint Nodes as not ready, no object waits for a controller that does not run, and managed fields of ten thousand Pods need no
 * memory.
 */
export class SimulatedObjects {
  constructor(
    private readonly store: ObjectStore,
    private readonly dependencies: { readonly clock: Clock; readonly random: Random },
  ) {}

  get(resource: string, namespace: string, name: string): Frozen<KubeObject> | undefined {
    return this.store.get({ resource, namespace, name })?.object;
  }

  list(resource: string, namespace?: string): readonly Frozen<KubeObject>[] {
    const range = namespace === undefined ? { resource } : { resource, namespace };
    return this.store.list(range).map((stored) => stored.object);
  }

  /** Creates missing objects. Existing ones are left unchanged: a client may have modified them. */
  async ensure({ resource, object }: Placed): Promise<void> {
    const key = keyOf(resource, object);
    if (this.store.get(key) !== undefined) return;
    const { metadata } = object;
    metadata.uid ??= generateUid(this.dependencies.random);
    metadata.creationTimestamp ??= formatTime(this.dependencies.clock.now());
    try {
      await this.store.commit({ key, expected: 0, object });
    } catch (error) {
      // Another writer created the object first.
      if (!(error instanceof RevisionMismatch)) throw error;
    }
  }

  /** Updates an existing object, and retries from the latest version on a conflict. */
  async change(key: StorageKey, recipe: (draft: Thawed<Frozen<KubeObject>>) => void): Promise<void> {
    for (;;) {
      const stored = this.store.get(key);
      if (stored === undefined) return;
      const changed = edit(stored.object, recipe);
      if (changed === stored.object) return;
      try {
        // The cast is safe: the store copies frozen objects before it changes them.
        await this.store.commit({ key: stored.key, expected: stored.revision, object: changed as KubeObject });
        return;
      } catch (error) {
        if (!(error instanceof RevisionMismatch)) throw error;
      }
    }
  }

  /** Deletes the object regardless of finalizers, because its machine no longer exists. */
  async remove(resource: string, namespace: string, name: string): Promise<void> {
    for (;;) {
      const stored = this.store.get({ resource, namespace, name });
      if (stored === undefined) return;
      try {
        await this.store.commit({ key: stored.key, expected: stored.revision, object: undefined });
        return;
      } catch (error) {
        if (!(error instanceof RevisionMismatch)) throw error;
      }
    }
  }
}

function keyOf(resource: string, { metadata: { namespace = '', name = '' } }: KubeObject): StorageKey {
  return { resource, namespace, name };
}
