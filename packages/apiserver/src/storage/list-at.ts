import type { History } from './history.js';
import { comparePlaces } from './key-order.js';
import { idOf } from './pending-writes.js';
import type { ResourceIndex } from './resource-index.js';
import type { ListRange, Revision } from '../contract/index.js';
import type { Version } from './version.js';

/** Returns the list as of `revision`: the current list with newer changes of this resource undone. */
export function listAt(
  index: ResourceIndex,
  history: History,
  range: ListRange,
  revision: Revision,
): readonly Version[] {
  const before = statesBefore(history, range, revision);
  const current = index.list(range);
  if (before.size === 0) return current;
  const kept = current.filter((version) => !before.has(idOf(version.key)));
  const restored = [...before.values()].filter((version) => version !== undefined);
  restored.sort((left, right) => comparePlaces(left.key, right.key));
  return merge(kept, restored);
}

/** Returns the state as of `revision` of each key in range that changed later; undefined if the key did not exist. */
function statesBefore(history: History, range: ListRange, revision: Revision): Map<string, Version | undefined> {
  const before = new Map<string, Version | undefined>();
  history.forEachAfter(revision, (event) => {
    const { key } = event.current;
    if (key.resource !== range.resource) return;
    if (range.namespace !== undefined && key.namespace !== range.namespace) return;
    if (range.after !== undefined && comparePlaces(key, range.after) <= 0) return;
    const id = idOf(key);
    if (!before.has(id)) before.set(id, event.previous);
  });
  return before;
}

function merge(left: readonly Version[], right: readonly Version[]): Version[] {
  const merged: Version[] = [];
  let at = 0;
  for (const version of left) {
    for (; at < right.length && comparePlaces((right[at] as Version).key, version.key) < 0; at += 1) {
      merged.push(right[at] as Version);
    }
    merged.push(version);
  }
  for (; at < right.length; at += 1) merged.push(right[at] as Version);
  return merged;
}
