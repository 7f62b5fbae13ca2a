import type { ObjectStore } from '@slipway/apiserver';
import { Violation } from '../run/violation.js';

/** What had been shown to somebody when the server lost its memory. */
interface Shown {
  readonly revision: number;
  readonly revisions: ReadonlyMap<string, number>;
}

/** No acknowledged write is lost: whatever anybody saw before a crash is there after it, or something newer is. */
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
      // A write that was on its way may have arrived without anybody knowing.
      if (kept === revision || (kept ?? store.revision) > shown.revision) continue;
      throw new Violation('no acknowledged write is lost', `${key} was at ${revision} and is at ${kept ?? 'nothing'}`);
    }
    for (const [key, revision] of now)
      if (revision <= shown.revision && shown.revisions.get(key) !== revision)
        throw new Violation('no acknowledged write is lost', `${key} has come back at ${revision}`);
  }
}

/** Every resource of which there was ever an object: the store tells none of the others. */
function revisionsOf(store: ObjectStore): Map<string, number> {
  const revisions = new Map<string, number>();
  for (const { key, revision } of store.all()) revisions.set(`${key.resource} ${key.namespace}/${key.name}`, revision);
  return revisions;
}
