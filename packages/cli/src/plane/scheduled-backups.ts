import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Clock, Disposable, Logger } from '@slipway/base';
import { dropOldBackups, newBackup, newestScheduledMs, verifyBackup } from '../archive/local-backups.js';
import type { DataDirectory } from '../instance/index.js';
import { programCommandLine } from '../process/program-command-line.js';

export interface BackupSchedule {
  readonly directory: DataDirectory;
  readonly everyMs: number;
  /** Number of backups to keep. */
  readonly keep: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Writes a backup to a file. Default: `slipway backup` in its own process. */
  readonly take?: (directory: DataDirectory, file: string) => Promise<void>;
}

/**
 * Backs up the data directory at an interval, which also counts from the last backup of an earlier process. Each backup is read
 * back before an old one is removed.
 */
export async function startScheduledBackups(schedule: BackupSchedule): Promise<Disposable> {
  const { directory, everyMs, clock, logger } = schedule;
  let stopped = false;
  const newest = (await newestScheduledMs(directory)) ?? clock.now();
  const firstMs = Math.min(everyMs, Math.max(0, newest + everyMs - clock.now()));
  const next = (): void => {
    backUp(schedule)
      .catch((error: unknown) => logger.error({ err: error }, 'Scheduled backup failed'))
      .finally(() => {
        if (!stopped) timer = clock.setTimer(everyMs, next);
      });
  };
  let timer = clock.setTimer(firstMs, next);
  return {
    dispose: () => {
      stopped = true;
      timer.cancel();
    },
  };
}

async function backUp({ directory, keep, clock, logger, take = backupCommand }: BackupSchedule): Promise<void> {
  const backup = await newBackup(directory, 'schedule', clock.now());
  await take(directory, backup);
  try {
    await verifyBackup(backup);
  } catch (error) {
    await rm(backup, { force: true });
    throw error;
  }
  await dropOldBackups(directory, 'schedule', keep);
  logger.info({ backup }, 'Backup taken and verified');
}

/** A separate process reads the data file independently, and does not delay requests. */
async function backupCommand({ root }: DataDirectory, file: string): Promise<void> {
  const [program = '', ...args] = programCommandLine();
  await promisify(execFile)(program, [...args, 'backup', file, '--data-dir', root]);
}
