import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupDirectory, restoreBackup } from './backup.js';
import type { DataVersion } from './data-version.js';
import { directoryOwner, lockDirectory } from './directory-lock.js';
import { readSnapshot } from './lmdb-journal.js';
import { openStore } from './open-store.js';
import { create, remove, update } from './store-conformance.js';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'store-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a data directory', () => {
  it('allows one process at a time and names the current one in the error', async () => {
    const store = await openStore({ directory });
    await expect(openStore({ directory: `${directory}/.` })).rejects.toThrow(`in use by process ${process.pid}`);
    await store.close();
    await (await openStore({ directory })).close();
    expect(readdirSync(directory).toSorted()).toEqual(['data.mdb', 'lock.mdb']);
  });

  it.each([
    { name: 'a process that no longer exists', pid: () => spawnSync('true').pid, started: 'x' },
    { name: 'an earlier process with the pid of a running one', pid: () => process.pid, started: 'earlier boot/1' },
  ])('takes over the lock of $name', async ({ pid, started }) => {
    writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: pid(), started }));
    const store = await openStore({ directory });
    expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    await store.close();
  });

  it('takes over an empty lock file left by a power loss', () => {
    writeFileSync(join(directory, 'lock'), '');
    lockDirectory(directory).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('keeps every write while its file is remapped', async () => {
    const store = await openStore({ directory });
    const large = 'x'.repeat(1_000_000);
    const names = Array.from({ length: 40 }, (_, index) => `large-${index}`);
    for (const name of names) await create(store, name, large);
    await store.close();
    const again = await openStore({ directory });
    expect(again.list({ resource: 'configmaps' }).map(({ object }) => object.metadata.name)).toEqual(names.toSorted());
    await again.close();
  });

  it('returns the process that owns the directory', async () => {
    expect(directoryOwner(join(directory, 'absent'))).toBeUndefined();
    const store = await openStore({ directory });
    expect(directoryOwner(directory)).toBe(process.pid);
    await store.close();
    expect(directoryOwner(directory)).toBeUndefined();
    writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: process.pid, started: 'earlier boot/1' }));
    expect(directoryOwner(directory)).toBeUndefined();
  });

  it('rejects a directory of a newer version without changing it', async () => {
    await (await openStore({ directory })).close();
    const root = open(directory, { encoding: 'binary', keyEncoding: 'binary' });
    await root
      .openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' })
      .put(Buffer.from('format'), Buffer.from('3'));
    await root.close();
    await expect(openStore({ directory })).rejects.toThrow(
      'was written in storage format 3, but this version reads formats up to 2',
    );
    expect(existsSync(join(directory, 'lock'))).toBe(false);
  });

  it('records the version that wrote the data, and reports another one before the data is changed', async () => {
    const calls: DataVersion[] = [];
    const reopen = async (writer?: string): Promise<void> => {
      const beforeChange = async (found: DataVersion): Promise<void> => void calls.push(found);
      await (await openStore({ directory, ...(writer && { writer }), beforeChange })).close();
    };
    await reopen('0.1.0');
    await reopen('0.1.0');
    await reopen();
    expect(calls).toEqual([]);
    await reopen('0.2.0');
    expect(calls).toEqual([{ format: 2, writer: '0.1.0' }]);
    expect((await readSnapshot(directory))?.version).toEqual({ format: 2, writer: '0.2.0' });
  });

  it('leaves the data unchanged if the preparation of a version change fails', async () => {
    await (await openStore({ directory, writer: '0.1.0' })).close();
    const before = readFileSync(join(directory, 'data.mdb'));
    const beforeChange = (): Promise<void> => Promise.reject(new Error('no space for the backup'));
    await expect(openStore({ directory, writer: '0.2.0', beforeChange })).rejects.toThrow('no space for the backup');
    expect(readFileSync(join(directory, 'data.mdb')).equals(before)).toBe(true);
    expect(directoryOwner(directory)).toBeUndefined();
  });

  it('creates files that other users of the host cannot access', async () => {
    const data = join(directory, 'data');
    await (await openStore({ directory: data })).close();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'data.mdb')).mode & 0o777).toBe(0o600);
  });
});

describe('backups', () => {
  const file = (): string => join(directory, 'backup');
  const restored = (): string => join(directory, 'restored');

  async function backUp(): Promise<void> {
    const store = await openStore({ directory: join(directory, 'data') });
    await Promise.all(['a', 'b', 'c'].map((name) => create(store, name)));
    await remove(store, 'c');
    const saving = store.backup(file());
    await update(store, 'a', 'later');
    await saving;
    await store.close();
  }

  it('contain a consistent snapshot while writes continue', async () => {
    await backUp();
    mkdirSync(restored());
    await restoreBackup(file(), restored());
    const store = await openStore({ directory: restored() });
    const objects = store.list({ resource: 'configmaps' }).map(({ object }) => object['data']);
    expect(objects).toEqual([{ value: '1' }, { value: '1' }]);
    expect([store.revision, store.compactedRevision]).toEqual([4, 4]);
    expect((await create(store, 'd')).revision).toBe(5);
    await store.close();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('can be created from a directory in use and from one that is not', async () => {
    const data = join(directory, 'data');
    expect(await backupDirectory(data, file())).toBeUndefined();
    const store = await openStore({ directory: data });
    await Promise.all(['a', 'b'].map((name) => create(store, name)));
    const writing = Promise.all(Array.from({ length: 100 }, (_, index) => create(store, `later-${index}`)));
    const taken = await backupDirectory(data, file());
    await writing;
    await store.close();
    await restoreBackup(file(), restored());
    const again = await openStore({ directory: restored() });
    const count = again.count('configmaps');
    expect(taken).toMatchObject({ revision: again.revision, objects: count });
    expect(count).toBe(again.revision);
    await again.close();
    expect(await backupDirectory(data, file())).toMatchObject({ revision: 102, objects: 102 });
  });

  it('can be restored at a later revision', async () => {
    await backUp();
    await restoreBackup(file(), restored(), { revisionBump: 1_000, writer: '0.1.0' });
    const store = await openStore({ directory: restored() });
    expect(store.revision).toBe(1_004);
    await store.close();
    expect((await readSnapshot(restored()))?.version.writer).toBe('0.1.0');
  });

  it('can be created from an empty store', async () => {
    const store = await openStore({ directory: join(directory, 'data') });
    await store.backup(file());
    await store.close();
    await restoreBackup(file(), restored());
    const again = await openStore({ directory: restored() });
    expect(again.revision).toBe(0);
    await again.close();
  });

  it('are not restored into a directory with data', async () => {
    await backUp();
    await expect(restoreBackup(file(), join(directory, 'data'))).rejects.toThrow('is not empty');
  });

  it.each([
    { name: 'they are truncated', damage: (bytes: Buffer) => bytes.subarray(0, -7), problem: 'checksum' },
    { name: 'they are empty', damage: () => Buffer.alloc(0), problem: 'not a backup' },
    { name: 'only their start exists', damage: (bytes: Buffer) => bytes.subarray(0, 20), problem: 'checksum' },
    {
      name: 'one bit is changed',
      damage: (bytes: Buffer) => {
        bytes[60] = (bytes[60] ?? 0) ^ 1;
        return bytes;
      },
      problem: 'checksum',
    },
  ])('are rejected if $name', async ({ damage, problem }) => {
    await backUp();
    writeFileSync(file(), damage(readFileSync(file())));
    await expect(restoreBackup(file(), restored())).rejects.toThrow(problem);
    expect(existsSync(restored())).toBe(false);
  });
});
