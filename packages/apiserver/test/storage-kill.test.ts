import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@slipway/base';
import { bundleScript } from '@slipway/testing/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../src/storage/index.js';
import type { StorageKey, StoreEvent } from '../src/contract/index.js';

// KILL_ROUNDS=1000 npm run test:kill kills the writer more often.
const kills = Number(process.env['KILL_ROUNDS'] ?? 25);
const canLimitFileSize = spawnSync('prlimit', ['--version']).status === 0;
// The bundle is next to the package, so that it resolves the native module.
const bundle = join(import.meta.dirname, `.storage-writer-${process.pid}.mjs`);
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-kill-'));
  await bundleScript(join(import.meta.dirname, 'storage-writer.ts'), bundle);
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await rm(bundle, { force: true });
});

/** Runs a writer until it has printed `lines` lines, then kills it immediately. */
function runUntilKilled(lines: number, isFull: boolean): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, directory, ...(isFull ? ['full'] : [])], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    let seen = 0;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
      seen += text.split('\n').length - 1;
      if (seen >= lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(output.split('\n').slice(0, -1));
      else reject(new Error(`the writer ended by itself with ${code ?? signal}`));
    });
  });
}

describe('a process that is killed under load', () => {
  it(`loses no acknowledged write, continues its revisions and needs no repair, ${kills} times`, {
    timeout: 120_000 + kills * 10_000,
  }, async () => {
    const random = seededRandom(20_260_101);
    let state = new Map<string, string>();
    let newest = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const [opened, ...writes] = await runUntilKilled(
        1 + Math.floor(random.next() * 400),
        canLimitFileSize && random.next() < 0.2,
      );
      expect(Number(opened?.split(' ')[1])).toBeGreaterThanOrEqual(newest);
      for (const line of writes) {
        if (line === 'full') continue;
        const [place = '', revision = '', value = ''] = line.split(' ');
        expect(Number(revision)).toBeGreaterThan(newest);
        newest = Number(revision);
        if (value === '') state.delete(place);
        else state.set(place, `${revision} ${value}`);
      }
      state = await checkState(state, newest);
    }
    expect(newest).toBeGreaterThan(1_000);
    if (process.env['KILL_ROUNDS'] !== undefined)
      process.stderr.write(`${kills} kills of the writer, ${newest} revisions\n`);
  });
});

/**
 * Compares the acknowledged writes with the stored state and returns the latter. Writes newer than `newest` may be committed
 * without having been acknowledged; nothing else may differ.
 */
async function checkState(acknowledged: ReadonlyMap<string, string>, newest: number): Promise<Map<string, string>> {
  const store = await openStore({ directory, history: { maxEvents: 300 } });
  expect(store.revision).toBeGreaterThanOrEqual(newest);
  const events: StoreEvent[] = [];
  store.watch({ resource: 'configmaps' }, store.compactedRevision, (event) => events.push(event));
  expect(events.map(({ current }) => current.revision)).toEqual(events.map(({ revision }) => revision));
  const unanswered = new Set(
    events.filter(({ revision }) => revision > newest).map(({ current }) => placeOf(current.key)),
  );
  const found = new Map(
    store.list({ resource: 'configmaps' }).map(({ key, revision, object }) => {
      const { value } = object['data'] as { value: string };
      return [placeOf(key), `${revision} ${value}`];
    }),
  );
  const decided = (state: ReadonlyMap<string, string>): string[] =>
    [...state].filter(([place]) => !unanswered.has(place)).map(([place, value]) => `${place} ${value}`);
  expect(decided(found).toSorted()).toEqual(decided(acknowledged).toSorted());
  await store.close();
  return found;
}

function placeOf(key: StorageKey): string {
  return `${key.namespace}/${key.name}`;
}
