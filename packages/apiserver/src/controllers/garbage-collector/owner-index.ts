import type { Frozen, KubeObject, OwnerReference } from '@slipway/kube';
import type { StorageKey } from '../../contract/index.js';

interface Dependents {
  /** Dependents by key; true for those with blockOwnerDeletion. */
  readonly members: Map<string, boolean>;
  blocking: number;
}

const noMembers: ReadonlyMap<string, boolean> = new Map();
const noReferences: readonly Frozen<OwnerReference>[] = [];

/** Index of dependents by owner. The cost of a change is proportional to the number of owners of the object. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Dependents>();

  add(key: StorageKey, object: Frozen<KubeObject>): void {
    const text = keyText(key);
    for (const reference of referencesOf(object)) {
      const blocks = reference.blockOwnerDeletion === true;
      const entry = this.#dependents.get(reference.uid) ?? { members: new Map(), blocking: 0 };
      this.#dependents.set(reference.uid, entry);
      // An owner may be referenced twice; one blocking reference is enough.
      const before = entry.members.get(text) ?? false;
      entry.members.set(text, before || blocks);
      if (blocks && !before) entry.blocking += 1;
    }
  }

  remove(key: StorageKey, object: Frozen<KubeObject>): void {
    const text = keyText(key);
    for (const reference of referencesOf(object)) {
      const entry = this.#dependents.get(reference.uid);
      const blocked = entry?.members.get(text);
      if (entry === undefined || blocked === undefined) continue;
      entry.members.delete(text);
      if (blocked) entry.blocking -= 1;
      if (entry.members.size === 0) this.#dependents.delete(reference.uid);
    }
  }

  /** Returns the keys of all dependents of this owner. */
  dependentsOf(uid: string): Iterable<string> {
    return (this.#dependents.get(uid)?.members ?? noMembers).keys();
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  isBlocked(uid: string): boolean {
    return (this.#dependents.get(uid)?.blocking ?? 0) > 0;
  }
}

export function referencesOf(object: Frozen<KubeObject>): readonly Frozen<OwnerReference>[] {
  return object.metadata.ownerReferences ?? noReferences;
}

/** Formats a key as text. Spaces separate the parts: collections and namespaces contain none, but names of events may. */
export function keyText(key: StorageKey): string {
  return `${key.resource} ${key.namespace} ${key.name}`;
}

export function parseKeyText(text: string): StorageKey {
  const first = text.indexOf(' ');
  const second = text.indexOf(' ', first + 1);
  return { resource: text.slice(0, first), namespace: text.slice(first + 1, second), name: text.slice(second + 1) };
}
