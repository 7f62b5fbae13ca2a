import type { KubeObject } from '@slipway/kube';
import { expect, it } from 'vitest';
import type { ObjectStore } from './object-store.js';
import { Compacted, RevisionMismatch, StorageUnavailable } from './errors.js';
import type { StorageKey, StoreEvent } from '../contract/index.js';
import type { StoreOptions } from './open-store.js';

/** A medium on which a store can be opened repeatedly. */
export interface StorePlace {
  open(options?: StoreOptions): Promise<ObjectStore>;
  /** Ends the use of the store without closing it, like a crash of the process, if the storage supports this. */
  abandon(store: ObjectStore): Promise<void>;
}

export function keyOf(name: string, namespace = 'default', resource = 'configmaps'): StorageKey {
  return { resource, namespace, name };
}

export function configMap(name: string, value: string, namespace = 'default'): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { value } };
}

export function create(store: ObjectStore, name: string, value = '1', namespace = 'default') {
  return store.commit({ key: keyOf(name, namespace), expected: 0, object: configMap(name, value, namespace) });
}

export function update(store: ObjectStore, name: string, value: string, namespace = 'default') {
  const expected = store.get(keyOf(name, namespace))?.revision ?? 0;
  return store.commit({ key: keyOf(name, namespace), expected, object: configMap(name, value, namespace) });
}

export function remove(store: ObjectStore, name: string, namespace = 'default') {
  const expected = store.get(keyOf(name, namespace))?.revision ?? 0;
  return store.commit({ key: keyOf(name, namespace), expected, object: undefined });
}

function describeEvent({ type, revision, current, previous }: StoreEvent): string {
  const before = previous === undefined ? '' : ` was ${String((previous.object['data'] as { value: string }).value)}`;
  const { value } = current.object['data'] as { value: string };
  return `${revision} ${type} ${current.key.namespace}/${current.key.name}=${value}${before}`;
}

const names = (objects: readonly { readonly key: StorageKey }[]): string[] =>
  objects.map(({ key }) => `${key.namespace}/${key.name}`);

/** Tests the behaviour that every store must have, whatever its journal. */
export function storeConformance(newPlace: () => StorePlace, options: { readonly durable: boolean }): void {
  const withStore = async (run: (store: ObjectStore, place: StorePlace) => Promise<void>): Promise<void> => {
    const place = newPlace();
    const store = await place.open();
    await run(store, place);
    await store.close();
  };
  commitConformance(withStore);
  listConformance(withStore);
  watchConformance(withStore);
  forkConformance(withStore);
  if (options.durable) restartConformance(newPlace);
}

type WithStore = (run: (store: ObjectStore, place: StorePlace) => Promise<void>) => Promise<void>;

function commitConformance(withStore: WithStore): void {
  it('stores an object frozen, with its revision, and as bytes that begin with kind and apiVersion', () =>
    withStore(async (store) => {
      const stored = await create(store, 'a');
      const read = store.get(keyOf('a'));
      expect(read).toBe(stored);
      expect(stored.object.metadata.resourceVersion).toBe(String(stored.revision));
      expect(Object.isFrozen(stored.object.metadata)).toBe(true);
      expect(stored.bytes.toString()).toBe(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","resourceVersion":"${stored.revision}"},"data":{"value":"1"}}`,
      );
    }));

  it('writes kind first and integers exactly in the bytes of unusual objects', () =>
    withStore(async (store) => {
      const object = { ...configMap('odd', '1'), 7: 'seven', big: 9_007_199_254_740_993n };
      const { bytes } = await store.commit({ key: keyOf('odd'), expected: 0, object });
      expect(bytes.toString()).toMatch(
        /^\{"kind":"ConfigMap","apiVersion":"v1","7":"seven",.*"big":9007199254740993\}$/,
      );
    }));

  it('rejects a write whose expected revision is not current', () =>
    withStore(async (store) => {
      const first = await create(store, 'a');
      await expect(create(store, 'a')).rejects.toThrow(RevisionMismatch);
      await update(store, 'a', '2');
      const stale = store.commit({ key: keyOf('a'), expected: first.revision, object: configMap('a', '3') });
      await expect(stale).rejects.toThrow(RevisionMismatch);
      await expect(remove(store, 'absent')).rejects.toThrow(RevisionMismatch);
    }));

  it('accepts exactly one of many concurrent writes to a key', () =>
    withStore(async (store) => {
      const { revision } = await create(store, 'a');
      const attempts = Array.from({ length: 10 }, (_, index) =>
        store.commit({ key: keyOf('a'), expected: revision, object: configMap('a', String(index)) }),
      );
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array<string>(9).fill('rejected')]);
      expect(store.get(keyOf('a'))?.object['data']).toEqual({ value: '0' });
    }));

  it('makes a write visible only once it is durable, in order of revision', () =>
    withStore(async (store) => {
      const seen: number[] = [];
      store.watch({ resource: 'configmaps' }, 0, ({ revision }) => seen.push(revision));
      const writes = ['a', 'b', 'c'].map((name) => create(store, name));
      expect(store.list({ resource: 'configmaps' })).toEqual([]);
      expect(store.revision).toBe(0);
      const revisions = (await Promise.all(writes)).map(({ revision }) => revision);
      expect(seen).toEqual(revisions);
      expect(store.revision).toBe(revisions.at(-1));
    }));

  it('assigns a new resourceVersion to DELETED events, larger than the last MODIFIED', () =>
    withStore(async (store) => {
      await create(store, 'a');
      const modified = await update(store, 'a', '2');
      const deleted = await remove(store, 'a');
      expect(deleted.revision).toBeGreaterThan(modified.revision);
      expect(deleted.object.metadata.resourceVersion).toBe(String(deleted.revision));
      expect(JSON.parse(deleted.bytes.toString())).toEqual(deleted.object);
      expect(store.get(keyOf('a'))).toBeUndefined();
      expect((await create(store, 'a', '3')).revision).toBeGreaterThan(deleted.revision);
    }));

  it('stores names of any length and any character', () =>
    withStore(async (store) => {
      for (const name of [
        '__proto__',
        'constructor',
        'system:änderung/☃',
        'x'.repeat(3_000),
        `${'x'.repeat(3_000)}y`,
      ]) {
        await create(store, name, name);
        expect(store.get(keyOf(name))?.object.metadata.name).toBe(name);
      }
      expect(store.count('configmaps')).toBe(5);
    }));

  it('waits for a revision, or until the signal fires', () =>
    withStore(async (store) => {
      const { signal } = new AbortController();
      const waiting = store.waitFor(1, signal);
      await create(store, 'a');
      await waiting;
      await store.waitFor(1, signal);
      const controller = new AbortController();
      const never = store.waitFor(99, controller.signal);
      controller.abort(new Error('enough'));
      await expect(never).rejects.toThrow('enough');
    }));

  it('completes submitted writes and rejects writes after closing', () =>
    withStore(async (store) => {
      const last = create(store, 'last');
      const waiting = store.waitFor(99, new AbortController().signal);
      const closing = store.close();
      await expect(waiting).rejects.toThrow(StorageUnavailable);
      await closing;
      expect((await last).revision).toBe(1);
      await expect(create(store, 'late')).rejects.toThrow(StorageUnavailable);
    }));
}

function listConformance(withStore: WithStore): void {
  it('lists in upstream order, per namespace and across namespaces, and continues after a page', () =>
    withStore(async (store) => {
      const objects = [
        ['b', 'a'],
        ['a', 'a'],
        ['z', 'a-b'],
        ['c', 'b'],
        ['a', 'b'],
      ] as const;
      await Promise.all(objects.map(([name, namespace]) => create(store, name, '1', namespace)));
      await store.commit({ key: keyOf('a', 'a', 'secrets'), expected: 0, object: configMap('a', 's', 'a') });
      const resource = 'configmaps';
      expect(names(store.list({ resource }))).toEqual(['a-b/z', 'a/a', 'a/b', 'b/a', 'b/c']);
      expect(names(store.list({ resource, namespace: 'a' }))).toEqual(['a/a', 'a/b']);
      expect(names(store.list({ resource, after: { namespace: 'a', name: 'a' } }))).toEqual(['a/b', 'b/a', 'b/c']);
      expect(names(store.list({ resource, after: { namespace: 'a', name: 'gone' } }))).toEqual(['b/a', 'b/c']);
      expect(names(store.list({ resource, namespace: 'a', after: { namespace: 'a', name: 'a' } }))).toEqual(['a/b']);
      expect(names(store.list({ resource, namespace: 'none' }))).toEqual([]);
      expect(store.count(resource)).toBe(5);
      expect(store.count('none')).toBe(0);
    }));

  it('does not change a list that it returned', () =>
    withStore(async (store) => {
      await create(store, 'a');
      const listed = store.list({ resource: 'configmaps' });
      await create(store, 'b');
      await remove(store, 'a');
      expect(names(listed)).toEqual(['default/a']);
      expect(names(store.list({ resource: 'configmaps' }))).toEqual(['default/b']);
    }));

  it('rebuilds the list of an earlier revision', () =>
    withStore(async (store) => {
      await create(store, 'a');
      await create(store, 'b');
      const { revision } = await create(store, 'd');
      await update(store, 'a', '2');
      await update(store, 'a', '3');
      await remove(store, 'b');
      await create(store, 'c');
      await remove(store, 'd');
      await create(store, 'd', 'again');
      await create(store, 'x', '1', 'other');
      const resource = 'configmaps';
      const values = (list: ReturnType<ObjectStore['list']>) => list.map(({ object }) => object['data']);
      expect(names(store.listAt({ resource }, revision))).toEqual(['default/a', 'default/b', 'default/d']);
      expect(values(store.listAt({ resource }, revision))).toEqual([{ value: '1' }, { value: '1' }, { value: '1' }]);
      const after = { namespace: 'default', name: 'a' };
      expect(names(store.listAt({ resource, after }, revision))).toEqual(['default/b', 'default/d']);
      expect(names(store.listAt({ resource, namespace: 'other' }, revision))).toEqual([]);
      expect(names(store.listAt({ resource }, revision + 1))).toEqual(['default/a', 'default/b', 'default/d']);
      expect(store.listAt({ resource }, store.revision)).toEqual(store.list({ resource }));
    }));
}

function forkConformance(withStore: WithStore): void {
  it('forks in memory with the same objects, then diverges independently', () =>
    withStore(async (store) => {
      const { revision } = await create(store, 'a');
      const fork = store.fork();
      expect(fork.get(keyOf('a'))).toBe(store.get(keyOf('a')));
      expect([fork.revision, fork.compactedRevision]).toEqual([revision, revision]);
      const seen: string[] = [];
      fork.watch({ resource: 'configmaps' }, revision, (event) => seen.push(describeEvent(event)));
      await create(store, 'b');
      await update(fork, 'a', 'forked');
      expect(seen).toEqual(['2 MODIFIED default/a=forked was 1']);
      expect(names(fork.list({ resource: 'configmaps' }))).toEqual(['default/a']);
      expect(store.get(keyOf('a'))?.object['data']).toEqual({ value: '1' });
      await fork.close();
    }));

  it('forks at a later revision on request, and reports earlier ones as compacted', () =>
    withStore(async (store) => {
      const { revision } = await create(store, 'a');
      const fork = store.fork(1_000);
      expect([fork.revision, fork.compactedRevision]).toEqual([1_000, 1_000]);
      expect(() => fork.watch({ resource: 'configmaps' }, revision, () => undefined)).toThrow(Compacted);
      expect((await create(fork, 'b')).revision).toBe(1_001);
      await fork.close();
    }));
}

function watchConformance(withStore: WithStore): void {
  it('neither replays older nor loses newer events in a watch from the resourceVersion of a list', () =>
    withStore(async (store) => {
      await create(store, 'a');
      const { revision } = store;
      await update(store, 'a', '2');
      const seen: string[] = [];
      const watch = store.watch({ resource: 'configmaps' }, revision, (event) => seen.push(describeEvent(event)));
      expect(seen).toEqual(['2 MODIFIED default/a=2 was 1']);
      await remove(store, 'a');
      await create(store, 'b');
      watch.dispose();
      await create(store, 'c');
      expect(seen.slice(1)).toEqual(['3 DELETED default/a=2 was 2', '4 ADDED default/b=1']);
    }));

  it('filters a watch by namespace or name, in history and live', () =>
    withStore(async (store) => {
      const ranges = [{}, { namespace: 'n' }, { namespace: 'n', name: 'a' }, { name: 'a' }, { namespace: '' }];
      const subscribe = () =>
        ranges.map((range) => {
          const seen: string[] = [];
          store.watch({ resource: 'configmaps', ...range }, 0, ({ current }) => seen.push(...names([current])));
          return seen;
        });
      const live = subscribe();
      await create(store, 'a', '1', 'n');
      await create(store, 'b', '1', 'n');
      await create(store, 'a', '1', 'm');
      await store.commit({ key: keyOf('a', 'n', 'secrets'), expected: 0, object: configMap('a', '1', 'n') });
      expect(live).toEqual([['n/a', 'n/b', 'm/a'], ['n/a', 'n/b'], ['n/a'], ['n/a', 'm/a'], []]);
      expect(subscribe()).toEqual(live);
    }));

  it('survives listeners that throw, subscribe and unsubscribe, and serves each event once', () =>
    withStore(async (store) => {
      const outer: number[] = [];
      const inner: number[] = [];
      store.watch({ resource: 'configmaps' }, 0, () => {
        throw new Error('listener');
      });
      const first = store.watch({ resource: 'configmaps' }, 0, ({ revision }) => {
        outer.push(revision);
        first.dispose();
        store.watch({ resource: 'configmaps' }, 0, (event) => inner.push(event.revision));
      });
      await Promise.all([create(store, 'a'), create(store, 'b')]);
      expect({ outer, inner }).toEqual({ outer: [1], inner: [1, 2] });
    }));

  it('lets a listener read the state of the event or a later one', () =>
    withStore(async (store) => {
      const seen: boolean[] = [];
      store.watch({ resource: 'configmaps' }, 0, ({ current }) => seen.push(store.get(current.key) === current));
      await Promise.all([create(store, 'a'), create(store, 'b')]);
      expect(seen).toEqual([true, true]);
    }));

  it('starts the history of a new store at its first write', () =>
    withStore(async (store) => {
      expect(store.compactedRevision).toBe(0);
      await create(store, 'a');
      expect(store.listAt({ resource: 'configmaps' }, 0)).toEqual([]);
    }));
}

function restartConformance(newPlace: () => StorePlace): void {
  it('has every acknowledged write and the revision after its process was killed', async () => {
    const place = newPlace();
    const store = await place.open();
    await Promise.all(['a', 'b', 'c'].map((name) => create(store, name)));
    await update(store, 'b', '2');
    await remove(store, 'c');
    const before = store
      .list({ resource: 'configmaps' })
      .map(({ revision, bytes }) => `${revision} ${bytes.toString()}`);
    await place.abandon(store);
    const again = await place.open();
    const after = again
      .list({ resource: 'configmaps' })
      .map(({ revision, bytes }) => `${revision} ${bytes.toString()}`);
    expect(after).toEqual(before);
    expect(again.revision).toBe(5);
    expect((await create(again, 'd')).revision).toBeGreaterThan(5);
    await again.close();
  });

  it('resumes a watch, and rebuilds a list, from a revision before the restart', async () => {
    const place = newPlace();
    const store = await place.open();
    const seen: string[] = [];
    store.watch({ resource: 'configmaps' }, 1, (event) => seen.push(describeEvent(event)));
    await create(store, 'a');
    await create(store, 'b');
    await update(store, 'a', '2');
    await remove(store, 'b');
    await create(store, 'b', 'again');
    await update(store, 'b', 'and again');
    await place.abandon(store);
    const again = await place.open();
    const resumed: string[] = [];
    again.watch({ resource: 'configmaps' }, 1, (event) => resumed.push(describeEvent(event)));
    expect(resumed).toEqual(seen);
    expect(resumed).toHaveLength(5);
    const list = again.listAt({ resource: 'configmaps' }, 2);
    expect(list.map(({ object }) => object['data'])).toEqual([{ value: '1' }, { value: '1' }]);
    await again.close();
  });

  it('keeps the compacted revision across a restart', async () => {
    const place = newPlace();
    const history = { maxEvents: 10 };
    const store = await place.open({ history });
    for (let index = 0; index < 400; index += 1) await create(store, `n${index}`);
    expect(store.compactedRevision).toBe(390);
    await place.abandon(store);
    const again = await place.open();
    expect(again.compactedRevision).toBeGreaterThanOrEqual(389);
    expect(() => again.watch({ resource: 'configmaps' }, 388, () => undefined)).toThrow(Compacted);
    expect(again.count('configmaps')).toBe(400);
    await again.close();
  });
}
