import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, VirtualClock } from '@slipway/base';
import { afterEach, describe } from 'vitest';
import { Encryption } from '../encryption/index.js';
import { FakeDisk } from './fake-disk.js';
import { openMemoryStore, openStore, type StoreOptions } from './open-store.js';
import { storeConformance, type StorePlace } from './store-conformance.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function onLmdb(more: Pick<StoreOptions, 'encryption'> = {}): StorePlace {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  directories.push(directory);
  return {
    open: (options) => openStore({ directory, ...more, ...options }),
    // Close the store instead, because a process cannot kill itself and continue. The kill test covers kill -9.
    abandon: (store) => store.close(),
  };
}

function onFakeDisk(): StorePlace {
  const clock = new VirtualClock();
  const disk = new FakeDisk(clock, seededRandom(1));
  return {
    open: (options) => openMemoryStore({ disk, clock, ...options }),
    abandon: () => Promise.resolve(disk.crash()),
  };
}

function inMemory(): StorePlace {
  return { open: (options) => openMemoryStore(options), abandon: (store) => store.close() };
}

describe('on LMDB', () => {
  storeConformance(() => onLmdb(), { durable: true });
});
describe('on LMDB, encrypted', () => {
  const keys = [{ name: 'key1', secret: randomBytes(32) }];
  const encryption = new Encryption([{ resources: ['*.*'], providers: [{ kind: 'aesgcm', keys }] }]);
  storeConformance(() => onLmdb({ encryption }), { durable: true });
});
describe('on a simulated disk', () => {
  storeConformance(onFakeDisk, { durable: true });
});
describe('in memory', () => {
  storeConformance(inMemory, { durable: false });
});
