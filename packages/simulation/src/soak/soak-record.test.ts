import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SoakEntry, SoakRecord } from './soak-record.js';

const size = { clusters: 20, minutes: 45 };
const entry = (seed: number, violation?: string): SoakEntry => ({
  ...size,
  seed,
  version: 'abc',
  simulatedMs: 3_600_000,
  cpuMs: 1_000,
  writes: 10,
  ...(violation === undefined ? {} : { violation }),
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'soak-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('resumes after an earlier run was killed, and repeats failed seeds', () => {
  const path = join(folder, 'nights', 'record');
  const first = new SoakRecord(path, size);
  first.add(entry(1));
  first.add(entry(2, 'no surplus machine'));
  appendFileSync(path, '{"seed":3,"clus');
  const second = new SoakRecord(path, size);
  expect([1, 2, 3].map((seed) => second.hasPassed(seed))).toEqual([true, false, false]);
  expect(second.failed.map(({ seed }) => seed)).toEqual([2]);
  second.add(entry(2));
  expect(new SoakRecord(path, size).passed.map(({ seed }) => seed)).toEqual([1, 2]);
});

it('counts only seeds that ran with the same size', () => {
  const path = join(folder, 'record');
  new SoakRecord(path, size).add(entry(1));
  expect(new SoakRecord(path, { ...size, clusters: 2 }).hasPassed(1)).toBe(false);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
});
