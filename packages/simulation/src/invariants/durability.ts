import type { ObjectStore } from '@slipway/apiserver';
import { Violation } from '../report/violation.js';

/** The content of the store that clients could have observed when the server crashed. */
interface Shown {
  readonly revision: number;
  readonly revisions: ReadonlyMap<string, number>;
}

/**
 * Checks that no acknowledged write is lost: every state that a client observed before a crash, or a newer state, exists after
 * it.
 */
export class Durability {
  #shown: Shown | undefined;

  closing(store: ObjectStore): void {
    this.#shown = { revision: store.revision, revisions: revisionsOf(store) };
  }

  opened(store: ObjectStore): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    this.#shown = undefined;
    if (store.revision < shown.revision)
      throw new Violation('no acknowledged write is lost', `revision ${store.revision} follows ${shown.revision}`);
    const now = revisionsOf(store);
    for (const [key, revision] of shown.revisions) {
      const kept = now.get(key);
      // Newer than anything that clients observed: a write may have been committed without being acknowledged.
      if (kept === revision || (kept ?? store.revision) > shown.revision) continue;
      throw new Violation(
        'no acknowledged write is lost',
        `${key} was at revision ${revision} and is now at ${kept ?? 'no revision'}`,
      );
    }
    for (const [key, revision] of now)
      if (revision <= shown.revision && shown.revisions.get(key) !== revision)
        throw new Violation('no acknowledged write is lost', `${key} exists again at revision ${revision}`);
  }
}

/** Returns the revision of every stored object, by resource, namespace and name. */
function revisionsOf(store: ObjectStore): Map<string, number> {
  const revisions = new Map<string, number>();
  for (const { key, revision } of store.all()) revisions.set(`${key.resource} ${key.namespace}/${key.name}`, revision);
  return revisions;
}
