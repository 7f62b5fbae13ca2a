import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@slipway/base';
import { open } from 'lmdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupDirectory } from './backup.js';
import { findDamage } from './data-file-check.js';
import { DamagedStore } from './errors.js';
import { openStore } from './open-store.js';
import { openValue } from './sealed-value.js';
import { create, update } from './store-conformance.js';

const pageSize = 4_096;
let directory = '';
let intact = '';
let names: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'damage-'));
  intact = join(directory, 'intact');
  const store = await openStore({ directory: intact });
  names = Array.from({ length: 400 }, (_, index) => `object-${index}`);
  await Promise.all(names.map((name, index) => create(store, name, 'x'.repeat((index * 97) % 9_000))));
  await Promise.all(names.slice(0, 100).map((name) => update(store, name, 'changed')));
  await store.close();
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function damaged(change: (file: string) => void): string {
  const copy = join(directory, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  copyFileSync(join(intact, 'data.mdb'), join(copy, 'data.mdb'));
  change(join(copy, 'data.mdb'));
  return copy;
}

function edit(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
}

/** Flips a bit in every stored value, because the test does not know which pages are in use. */
function flipValues(bytes: Buffer): void {
  const value = 'x'.repeat(64);
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 64)) bytes[at + 3] = 0x79;
}

async function outcomeOf(copy: string): Promise<string> {
  try {
    const store = await openStore({ directory: copy });
    const count = store.count('configmaps');
    // Also write, because writes use the list of free pages.
    await create(store, 'written-after');
    await store.close();
    return count === names.length ? 'complete' : `${count} objects`;
  } catch (error) {
    return error instanceof DamagedStore ? 'rejected' : String(error);
  }
}

describe('a damaged data file', () => {
  it.each<{ name: string; change: (file: string) => void; problem: RegExp }>([
    { name: 'is empty', change: (file) => truncateSync(file, 0), problem: /is damaged: it is empty$/ },
    {
      name: 'is truncated within its meta pages',
      change: (file) => truncateSync(file, 5_000),
      problem: /is truncated$/,
    },
    { name: 'is truncated to half', change: (file) => truncateSync(file, 200 * pageSize), problem: /truncated|page/ },
    {
      name: 'is all zeros',
      change: (file) => edit(file, (bytes) => bytes.fill(0)),
      problem: /meta page 0 is invalid$/,
    },
    {
      name: 'has a value with a flipped bit',
      change: (file) => edit(file, flipValues),
      problem: /the checksum of a record does not match: "configmaps/,
    },
  ])('rejects a file that $name, and does not change it', async ({ change, problem }) => {
    const copy = damaged(change);
    const before = readFileSync(join(copy, 'data.mdb'));
    await expect(openStore({ directory: copy })).rejects.toThrow(problem);
    await expect(openStore({ directory: copy })).rejects.toThrow(DamagedStore);
    expect(readFileSync(join(copy, 'data.mdb')).equals(before)).toBe(true);
    await expect(backupDirectory(copy, join(directory, 'backup'))).rejects.toThrow(DamagedStore);
    expect(readdirSync(copy)).not.toContain('lock');
  });

  it('opens a randomly damaged file with all objects, or rejects it', async () => {
    const random = seededRandom(11);
    const below = (limit: number): number => Math.floor(random.next() * limit);
    const runs = process.env['FUZZ_RUNS'] === undefined ? 60 : 1_000;
    for (let run = 0; run < runs; run += 1) {
      const copy = damaged((file) =>
        edit(file, (bytes) => {
          const pages = bytes.length / pageSize;
          const [from, to] = [below(pages) * pageSize, below(pages) * pageSize];
          const kind = run % 4;
          if (kind === 0) bytes.fill(0, from, from + pageSize);
          else if (kind === 1) bytes.copy(bytes, to, from, from + pageSize);
          else if (kind === 2) bytes[from + below(64)] = below(256);
          else for (let bit = 0; bit < 8; bit += 1) bytes[below(bytes.length)] = below(256);
        }),
      );
      expect(await outcomeOf(copy)).toMatch(/^(rejected|complete)$/);
    }
  });

  it('creates the file again if its creation was interrupted', async () => {
    const copy = damaged((file) => truncateSync(file, 0));
    writeFileSync(join(copy, 'creating'), '');
    await (await openStore({ directory: copy })).close();
    expect(readdirSync(copy).toSorted()).toEqual(['data.mdb', 'lock.mdb']);
    expect(findDamage(join(copy, 'data.mdb'))).toBeUndefined();
  });
});

it('adds checksums to a store of format 1', async () => {
  const copy = damaged(() => undefined);
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(copy, binary);
  for (const name of ['objects', 'history', 'meta']) {
    const table = root.openDB<Buffer, Buffer>({ name, ...binary });
    const keys = Array.from(table.getKeys({}));
    for (const key of keys) {
      const value = table.get(key) ?? Buffer.alloc(0);
      await table.put(key, key.toString() === 'format' ? Buffer.from('1') : Buffer.from(openValue(key, value)));
    }
  }
  await root.close();
  for (const _attempt of [1, 2]) {
    const store = await openStore({ directory: copy });
    expect(store.list({ resource: 'configmaps' }).map(({ key }) => key.name)).toEqual(names.toSorted());
    await store.close();
  }
});
