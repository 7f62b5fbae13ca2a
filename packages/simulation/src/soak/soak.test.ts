import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runSoak } from './soak.js';
import { SoakRecord } from './soak-record.js';

it('summarizes the seeds that have passed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'record');
  const size = { clusters: 20, minutes: 30 };
  const record = new SoakRecord(path, size);
  for (const seed of [1, 2])
    record.add({ ...size, seed, version: 'abc', simulatedMs: 1_800_000, cpuMs: 9_000, writes: 10 });
  const printed: string[] = [];
  expect(await runSoak(['--count', '2', '--record', path], (text) => printed.push(text))).toBe(0);
  expect(printed.join('\n').split('\n')).toEqual([
    '2 seeds have passed, 40 clusters, 1.0 simulated hours, 0.01 hours of CPU, 9.0 s for each seed, 1 versions of the code',
    '0 failed',
  ]);
});
