import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationToMs, tryParseDuration } from '@slipway/kube';

/** Flags of scheduled backups. */
export interface BackupFlags {
  readonly backupEvery?: number;
  readonly backupKeep: number;
}

/** Names of backups contain the time in seconds. */
const everyMsMin = 1_000;
/** Limit of timers. */
const everyMsMax = 2_147_483_647;

export function addBackupOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--backup-every <duration>',
        'Interval of backups to backups/ in the data directory, for example 24h. Each is verified. If not set, there are none.',
      ).argParser(parseInterval),
    )
    .addOption(
      new Option('--backup-keep <number>', 'Number of these backups to keep.').default(7).argParser(parseKept),
    );
}

function parseInterval(text: string): number {
  const duration = tryParseDuration(text);
  const ms = duration === undefined ? 0 : durationToMs(duration);
  if (ms < everyMsMin || ms > everyMsMax)
    throw new InvalidArgumentError('The value must be a duration from 1s to 596h, for example 24h.');
  return ms;
}

function parseKept(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('The value must be a number, 1 or greater.');
  return Number(text);
}
