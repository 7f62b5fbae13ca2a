import { truncateSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-schedule-'));
});

afterEach(async () => {
  await killPlanes();
  await rm(directory, { recursive: true, force: true });
});

it('backs up the running plane at an interval, and names the newest backup when the data file is damaged', async () => {
  const root = join(directory, 'plane');
  const flags = ['--api-only', '--controllers=none', '--backup-every', '1s', '--backup-keep', '2'];
  const plane = await startPlane(root, ...flags);
  const taken = (): number => plane.log.filter((line) => line.includes('Backup taken and verified')).length;
  await expect.poll(taken).toBeGreaterThanOrEqual(3);
  plane.child.kill('SIGKILL');
  await plane.exited;
  const names = (await readdir(join(root, 'backups'))).filter((name) => name.endsWith('.backup')).toSorted();
  // The kill may hit between the verification of a third backup and the removal of the oldest.
  expect([2, 3]).toContain(names.length);
  truncateSync(join(root, 'store', 'data.mdb'), 5_000);
  const failed = await slipway('up', '--data-dir', root, '--port', '0');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(
    /data\.mdb is damaged: it is truncated[^]*slipway restore \S+-scheduled\.backup --data-dir/,
  );
  const [, file = ''] = /slipway restore (\S+)/.exec(failed.stderr) ?? [];
  const restored = await slipway('restore', file, '--data-dir', join(directory, 'restored'));
  expect(restored).toMatchObject({ code: 0 });
});
