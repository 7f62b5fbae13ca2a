import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@slipway/apiserver';
import { silentLogger, systemClock, VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeBackup } from '../archive/write-backup.js';
import { type DataDirectory, dataDirectory } from '../instance/index.js';
import { startScheduledBackups } from './scheduled-backups.js';

const hourMs = 3_600_000;
let directory: DataDirectory;
let clock: VirtualClock;
let errors: unknown[];

beforeEach(async () => {
  directory = dataDirectory(mkdtempSync(join(tmpdir(), 'scheduled-')));
  clock = new VirtualClock();
  errors = [];
  await (await openStore({ directory: directory.store, clock: systemClock, log: silentLogger })).close();
});

afterEach(() => rmSync(directory.root, { recursive: true, force: true }));

const start = (
  take = async (from: DataDirectory, file: string): Promise<void> => void (await writeBackup(from, file)),
) =>
  startScheduledBackups({
    directory,
    everyMs: hourMs,
    keep: 2,
    clock,
    logger: { ...silentLogger, error: (fields) => void errors.push((fields as { err: unknown }).err) },
    take,
  });

const names = (): string[] => readdirSync(directory.backups).toSorted();

/** Advances by an hour, waits until the backup that is then due has been taken, and returns the names of all backups. */
async function namesAfterHour(): Promise<readonly unknown[]> {
  await clock.advance(hourMs);
  await expect.poll(() => clock.nextTimerMs()).toBe(hourMs);
  return errors.length > 0 ? errors : names();
}

describe('scheduled backups', () => {
  it('are taken at the interval, verified, and replace the oldest', async () => {
    await start();
    expect(await namesAfterHour()).toEqual(['20260101T010000Z-scheduled.backup']);
    expect(await namesAfterHour()).toEqual(['20260101T010000Z-scheduled.backup', '20260101T020000Z-scheduled.backup']);
    expect(await namesAfterHour()).toEqual(['20260101T020000Z-scheduled.backup', '20260101T030000Z-scheduled.backup']);
  });

  it('count from the last backup of an earlier process', async () => {
    const first = await start();
    expect(await namesAfterHour()).toEqual(['20260101T010000Z-scheduled.backup']);
    await first.dispose();
    await clock.advance(hourMs / 2);
    await start();
    expect(clock.nextTimerMs()).toBe(hourMs / 2);
  });

  it('keep the older backups if the new one cannot be read back', async () => {
    const first = await start();
    expect(await namesAfterHour()).toEqual(['20260101T010000Z-scheduled.backup']);
    await first.dispose();
    await start(async (from, file) => {
      await writeBackup(from, file);
      await truncate(file, 2_000);
    });
    await clock.advance(hourMs);
    await expect.poll(() => String(errors)).toContain('the new backup is not readable');
    await expect.poll(names).toEqual(['20260101T010000Z-scheduled.backup']);
  });
});
