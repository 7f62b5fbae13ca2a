import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleScript } from '@slipway/testing/process';
import { openStore } from '../src/storage/index.js';

const bundle = join(import.meta.dirname, `.storage-full-writer-${process.pid}.mjs`);
const canLimitFileSize = spawnSync('prlimit', ['--version']).status === 0;
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-full-'));
  await bundleScript(join(import.meta.dirname, 'storage-full-writer.ts'), bundle);
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await rm(bundle, { force: true });
});

interface Outcome {
  readonly written: number;
  readonly refused: readonly boolean[];
  readonly whileFull: number;
  readonly accepted: boolean;
  readonly count: number;
}

describe('a file with a size limit', () => {
  // This test requires util-linux. The tests with the simulated disk cover the same behaviour on all platforms.
  it.skipIf(!canLimitFileSize)(
    'fails writes, stays readable, and accepts writes again when the limit is lifted',
    async () => {
      const { stdout, status } = spawnSync(process.execPath, [bundle, directory], { encoding: 'utf8' });
      expect(status).toBe(0);
      const outcome = JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Outcome;
      const { written } = outcome;
      expect(outcome).toEqual({
        written,
        refused: [false, false],
        whileFull: written,
        accepted: true,
        count: written + 1,
      });
      const store = await openStore({ directory });
      expect(store.count('configmaps')).toBe(written + 1);
      await store.close();
    },
  );
});
