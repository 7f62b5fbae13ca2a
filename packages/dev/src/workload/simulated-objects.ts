import { type ObjectStore, RevisionMismatch, type StorageKey } from '@slipway/apiserver';
import type { Clock, Random } from '@slipway/base';
import { formatTime, type Frozen, generateUid, type KubeObject, type Thawed } from '@slipway/kube';
import { edit } from '@slipway/runtime';

/** Where a kind is stored, and an object of it. */
export interface Placed {
  readonly resource: string;
  readonly object: KubeObject;
}

/**
 * What kubeadm, kubelets and the control plane would write, straight into the store. They are whole as they come: no
 * admission taints a Node as not ready, nothing waits for loops that do not run, and no field managers are kept in each of
 * ten thousand pods.
 */
export class SimulatedObjects {
  constructor(
    private readonly store: ObjectStore,
    private readonly world: { readonly clock: Clock; readonly random: Random },
  ) {}

  get(resource: string, namespace: string, name: string): Frozen<KubeObject> | undefined {
    return this.store.get({ resource, namespace, name })?.object;
  }

  list(resource: string, namespace?: string): readonly Frozen<KubeObject>[] {
    const range = namespace === undefined ? { resource } : { resource, namespace };
    return this.store.list(range).map((stored) => stored.object);
  }

  /** Writes what is not there yet; what is there belongs to whoever changed it since. */
  async ensure({ resource, object }: Placed): Promise<void> {
    const key = keyOf(resource, object);
    if (this.store.get(key) !== undefined) return;
    const { metadata } = object;
    metadata.uid ??= generateUid(this.world.random);
    metadata.creationTimestamp ??= formatTime(this.world.clock.now());
    try {
      await this.store.commit({ key, expected: 0, object });
    } catch (error) {
      // Somebody else was first.
      if (!(error instanceof RevisionMismatch)) throw error;
    }
  }

  /** Changes what is there, again from what is there then if somebody comes between. */
  async change(key: StorageKey, recipe: (draft: Thawed<Frozen<KubeObject>>) => void): Promise<void> {
    for (;;) {
      const stored = this.store.get(key);
      if (stored === undefined) return;
      const changed = edit(stored.object, recipe);
      if (changed === stored.object) return;
      try {
        // The store copies what is frozen and has to change.
        await this.store.commit({ key: stored.key, expected: stored.revision, object: changed as KubeObject });
        return;
      } catch (error) {
        if (!(error instanceof RevisionMismatch)) throw error;
      }
    }
  }

  /** Takes it away, finalizers or not: what stood behind it is gone. */
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
