import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { machineFiles, removeAbandonedStaging, removeStaging, stagingFolder } from './layout.js';

const folder = mkdtempSync(join(tmpdir(), 'kvm-layout-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const uuid = '1d3c7a52-0000-4000-8000-000000000001';
const files = machineFiles({ stateDirectory: folder, runDirectory: join(folder, 'run') }, uuid);
const machines = join(folder, 'machines');

// Running processes are read from /proc.
describe.runIf(process.platform === 'linux')('a staging directory of a machine', () => {
  it('is kept while its process runs, and removed after the process was killed', async () => {
    // Not the PID of any process, because it is above the largest PID of Linux.
    const gone = 4_194_305;
    const [own, another] = [stagingFolder(files), join(machines, 'another.1.x.new')];
    const left = [`${files.directory}.${gone}.x.new`, `${files.directory}.as-it-was-named-once.new`];
    for (const path of [own, another, ...left]) mkdirSync(join(path, 'disks'), { recursive: true });
    await removeAbandonedStaging(files);
    expect(readdirSync(machines).sort()).toEqual([basename(own), basename(another)].sort());
    await removeStaging(files);
    expect(readdirSync(machines)).toEqual([basename(another)]);
  });
});
