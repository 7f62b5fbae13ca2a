import type { ObjectStore } from '@slipway/apiserver';
import { Violation } from '../report/violation.js';

/** The state that clients had observed when the server crashed. */
interface Shown {
  readonly revision: number;
  readonly revisions: ReadonlyMap<string, number>;
}

/** No acknowledged write is lost: every state that a client observed before a crash, or a newer one, exists after it. */
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
      // An unacknowledged write may have been committed.
      if (kept === revision || (kept ?? store.revision) > shown.revision) continue;
      throw new Violation('no acknowledged write is lost', `${key} was at ${revision} and is at ${kept ?? 'nothing'}`);
    }
    for (const [key, revision] of now)
      if (revision <= shown.revision && shown.revisions.get(key) !== revision)
        throw new Violation('no acknowledged write is lost', `${key} has come back at ${revision}`);
  }
}

/** Every resource that ever had an object. The store does not list others. */
function revisionsOf(store: ObjectStore): Map<string, number> {
  const revisions = new Map<string, number>();
  for (const { key, revision } of store.all()) revisions.set(`${key.resource} ${key.namespace}/${key.name}`, revision);
  return revisions;
}
