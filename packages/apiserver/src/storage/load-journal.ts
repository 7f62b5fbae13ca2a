import { requirePlain } from './encrypted-journal.js';
import type { FormCache } from './form-cache.js';
import type { VersionEvent } from './history.js';
import type { Journal } from './journal.js';
import { idOf } from './pending-writes.js';
import { decodeRecordHeader } from './record.js';
import type { Revision, StorageKey } from '../contract/index.js';
import { decodeUndo } from './undo.js';
import { Version } from './version.js';

export interface LoadedJournal {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly versions: Iterable<Version>;
  /** In order of revision. */
  readonly events: readonly VersionEvent[];
  /** Compacted undo records that were not removed yet. */
  readonly useless: readonly Revision[];
}

/** First byte of JSON. Encrypted objects begin with a letter. */
const openBrace = 0x7b;

/** Reads a journal without parsing objects. Each object is parsed when it is first accessed. */
export async function loadJournal(journal: Journal, cache: FormCache): Promise<LoadedJournal> {
  const versions = new Map<string, Version>();
  const undos: LoadedUndo[] = [];
  const share = stringSharer();
  const slabs = new Slabs();
  let unreadable: Revision = 0;
  const state = await journal.load({
    record: (record) => {
      const { key, revision, bodyStart } = decodeRecordHeader(record);
      if (record[bodyStart] !== openBrace) requirePlain(record);
      const shared = share(key);
      versions.set(idOf(shared), Version.ofRecord(cache, shared, revision, slabs.copy(record)));
    },
    undo: (changed, undo) => {
      const { type, at, key, revision, previous, bodyStart } = decodeUndo(undo);
      // The key of this history was removed after all objects were encrypted with another one.
      if (previous !== undefined && previous[bodyStart] !== openBrace) unreadable = changed;
      const before = previous && Version.ofRecord(cache, share(key), revision, slabs.copy(previous));
      undos.push({ type, at, key: share(key), revision: changed, before });
    },
  });
  const compacted = Math.max(state.compacted, unreadable);
  const useless = undos.filter(({ revision }) => revision <= compacted).map(({ revision }) => revision);
  const kept = undos.slice(useless.length);
  return {
    revision: state.revision,
    compacted,
    versions: versions.values(),
    events: rebuildEvents(kept, versions),
    useless,
  };
}

interface LoadedUndo {
  readonly type: VersionEvent['type'];
  readonly at: number;
  readonly key: StorageKey;
  readonly revision: Revision;
  readonly before: Version | undefined;
}

/**
 * Rebuilds the events from undo records. Iterates from the newest change to the oldest, so that the state after each change is
 * known when it is visited.
 */
function rebuildEvents(undos: readonly LoadedUndo[], current: ReadonlyMap<string, Version>): VersionEvent[] {
  const states = new Map<string, Version | undefined>();
  const events: VersionEvent[] = [];
  for (const undo of undos.toReversed()) {
    const id = idOf(undo.key);
    const after = states.has(id) ? states.get(id) : current.get(id);
    states.set(id, undo.before);
    events.push(eventOf(undo, after));
  }
  return events.reverse();
}

function eventOf({ type, revision, at, before }: LoadedUndo, after: Version | undefined): VersionEvent {
  const size = 256 + (before?.record.length ?? 0);
  if (type === 'DELETED' && before !== undefined && after === undefined) {
    return { type, revision, at, size, current: Version.ofDeletion(before, revision), previous: before };
  }
  // An object and its undo record are written in one transaction: a mismatch means that the file is corrupt.
  if (after?.revision !== revision) throw new Error(`history is inconsistent at revision ${revision}`);
  return { type, revision, at, size, current: after, ...(before && { previous: before }) };
}

/** Returns a function that interns the strings of keys: thousands of objects share a few resource and namespace names. */
function stringSharer(): (key: StorageKey) => StorageKey {
  const strings = new Map<string, string>();
  const shared = (text: string): string => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, text);
    return text;
  };
  return ({ resource, namespace, name }) => ({ resource: shared(resource), namespace: shared(namespace), name });
}

const slabLength = 262_144;

/** Copies many small buffers into few large ones. */
class Slabs {
  #slab = Buffer.alloc(0);
  #used = 0;

  copy(bytes: Buffer): Buffer {
    if (bytes.length > slabLength / 8) return Buffer.from(bytes);
    if (this.#used + bytes.length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(slabLength);
      this.#used = 0;
    }
    const copy = this.#slab.subarray(this.#used, this.#used + bytes.length);
    bytes.copy(copy);
    this.#used += bytes.length;
    return copy;
  }
}
