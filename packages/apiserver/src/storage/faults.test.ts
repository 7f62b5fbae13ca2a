import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { FakeDisk } from './fake-disk.js';
import { openMemoryStore, type StoreOptions } from './open-store.js';
import { Compacted, RevisionMismatch, StorageUnavailable } from './errors.js';
import { configMap, create, keyOf, remove, update } from './store-conformance.js';

const resource = 'configmaps';

async function setUp(options: StoreOptions = {}) {
  const clock = new VirtualClock();
  const disk = new FakeDisk(clock, seededRandom(7));
  const reopen = () => openMemoryStore({ disk, clock, ...options });
  return { clock, disk, reopen, store: await reopen() };
}

describe('a disk that fails writes', () => {
  it('fails all writers of the batch, makes none of their writes visible, and is retried by the next write', async () => {
    const { disk, store, reopen } = await setUp();
    await create(store, 'a');
    const seen: number[] = [];
    store.watch({ resource }, store.revision, ({ revision }) => seen.push(revision));
    disk.faults.syncFailure = 1;
    const refused = await Promise.allSettled([create(store, 'b'), update(store, 'a', '2'), create(store, 'c')]);
    expect(
      refused.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable),
    ).toEqual([true, true, true]);
    expect(store.list({ resource }).map(({ bytes }) => bytes.toString())).toEqual([
      expect.stringContaining('"value":"1"'),
    ]);
    expect(seen).toEqual([]);
    disk.faults.syncFailure = 0;
    const { revision } = await create(store, 'b');
    expect(seen).toEqual([revision]);
    disk.crash();
    const again = await reopen();
    expect(again.list({ resource }).map(({ key }) => key.name)).toEqual(['a', 'b']);
    expect(again.revision).toBe(revision);
  });

  it('reports the failure through checkWritable until a commit succeeds', async () => {
    const { disk, store, reopen } = await setUp();
    await create(store, 'a');
    await store.checkWritable();
    disk.faults.syncFailure = 1;
    await expect(create(store, 'b')).rejects.toThrow(StorageUnavailable);
    await expect(store.checkWritable()).rejects.toThrow(StorageUnavailable);
    disk.faults.syncFailure = 0;
    await Promise.all([store.checkWritable(), store.checkWritable()]);
    await create(store, 'c');
    disk.crash();
    expect((await reopen()).list({ resource }).map(({ key }) => key.name)).toEqual(['a', 'c']);
  });

  it('stays readable when full, and accepts writes again once space is freed', async () => {
    const { disk, store } = await setUp();
    await create(store, 'a');
    disk.faults.capacityBytes = 1_000;
    const big = (name: string) =>
      store.commit({ key: keyOf(name), expected: 0, object: configMap(name, 'x'.repeat(5_000)) });
    await expect(big('b')).rejects.toThrow(StorageUnavailable);
    await expect(big('b')).rejects.toMatchObject({ cause: { code: 'ENOSPC' } });
    expect(store.get(keyOf('a'))?.revision).toBe(1);
    disk.faults.capacityBytes = 1_000_000;
    await big('b');
    expect(store.count(resource)).toBe(2);
  });

  it('compares a write with the state before a failed one', async () => {
    const { disk, store, clock } = await setUp();
    const { revision } = await create(store, 'a');
    disk.faults.syncFailure = 1;
    disk.faults.syncLatencyMs = 10;
    const first = store.commit({ key: keyOf('a'), expected: revision, object: configMap('a', 'first') });
    const second = store.commit({ key: keyOf('a'), expected: revision, object: configMap('a', 'second') });
    first.catch(() => {
      disk.faults.syncFailure = 0;
    });
    const outcomes = Promise.allSettled([first, second]);
    await clock.advance(30);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(store.get(keyOf('a'))?.object['data']).toEqual({ value: 'second' });
  });
});

describe('a slow disk', () => {
  it('commits all writes that arrive during a flush in the next one', async () => {
    const { disk, store, clock } = await setUp();
    disk.faults.syncLatencyMs = 10;
    const done: string[] = [];
    const writeAll = (names: readonly string[]) =>
      names.map((name) => create(store, name).then(() => done.push(`${clock.monotonic()} ${name}`)));
    const first = writeAll(['a']);
    await clock.advance(1);
    const later = writeAll(['b', 'c', 'd']);
    const conflict = create(store, 'b').catch((error: unknown) => error);
    await clock.advance(30);
    await Promise.all([...first, ...later]);
    expect(await conflict).toBeInstanceOf(RevisionMismatch);
    expect(done).toEqual(['10 a', '20 b', '20 c', '20 d']);
  });
});

describe('history of the store', () => {
  it.each([
    { name: 'by number', history: { maxEvents: 2 }, waitMs: 0, kept: 2 },
    { name: 'by bytes', history: { maxBytes: 1_300 }, waitMs: 0, kept: 3 },
    { name: 'by age', history: { maxAgeMs: 1_000 }, waitMs: 400, kept: 3 },
  ])('limits the history $name', async ({ history, waitMs, kept }) => {
    const { clock, store } = await setUp({ history });
    await create(store, 'a');
    for (let index = 0; index < 9; index += 1) {
      await clock.advance(waitMs);
      await update(store, 'a', String(index));
    }
    expect(store.compactedRevision).toBe(10 - kept);
    const old = store.compactedRevision - 1;
    expect(() => store.listAt({ resource }, old)).toThrow(new Compacted(old, store.compactedRevision));
    expect(() => store.watch({ resource }, old, () => undefined)).toThrow(Compacted);
    const seen: number[] = [];
    store.watch({ resource }, store.compactedRevision, ({ revision }) => seen.push(revision));
    expect(seen).toEqual([8, 9, 10].slice(-kept));
  });

  it('keeps the size of the log proportional to the live data', async () => {
    const { disk, store, reopen } = await setUp({ history: { maxEvents: 100 } });
    await create(store, 'a');
    for (let index = 0; index < 2_000; index += 1) await update(store, 'a', 'x'.repeat(2_000));
    expect(disk.open().read().length).toBeLessThan(2_000_000);
    disk.crash();
    const again = await reopen();
    expect({ revision: again.revision, count: again.count(resource) }).toEqual({ revision: 2_001, count: 1 });
    await remove(again, 'a');
  });
});

describe('listeners of the store that throw', () => {
  it('reports the error', async () => {
    const messages: string[] = [];
    const log = { ...silentLogger, error: (_: object, message: string) => messages.push(message) };
    const { store } = await setUp({ log });
    store.watch({ resource }, 0, () => {
      throw new Error('fault');
    });
    await create(store, 'a');
    expect(messages).toEqual(['Watch listener failed']);
  });
});

describe('records of the store', () => {
  it('keep the same bytes after eviction and after a restart', async () => {
    const { disk, store, reopen } = await setUp({ secondFormBytes: 600 });
    const objects = Array.from({ length: 20 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    const written = await Promise.all(
      objects.map(async (name) => (await create(store, name, `€${name}`)).bytes.toString()),
    );
    expect(store.list({ resource }).map(({ bytes }) => bytes.toString())).toEqual(written);
    disk.crash();
    const again = await reopen();
    for (const version of again.list({ resource })) expect(version.object.metadata.name).toBe(version.key.name);
    expect(again.list({ resource }).map(({ bytes }) => bytes.toString())).toEqual(written);
  });
});
