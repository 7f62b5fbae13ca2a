import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessIdentity, readIfPresent } from '@slipway/base';

/**
 * The first lines of a script that outlives Slipway. The script records its own PID, so that it never runs without a
 * record. A second instance exits immediately.
 */
export const recordProcessScript = String.raw`set -eu
mkdir "$RECORD_DIRECTORY/started" 2> /dev/null || exit 0
stat=$(cat /proc/$$/stat)
set -- ${'$'}{stat##*) }
shift 19
printf '%s %s %s\n' $$ "$1" "$(cat /proc/sys/kernel/random/boot_id)" > "$RECORD_DIRECTORY/process.new"
mv "$RECORD_DIRECTORY/process.new" "$RECORD_DIRECTORY/process"
`;

export async function readProcess(directory: string): Promise<ProcessIdentity | undefined> {
  const text = await readIfPresent(join(directory, 'process'));
  const [pid = '', startTime = '', bootId = ''] = (text ?? '').trim().split(' ');
  return bootId === '' ? undefined : { pid: Number(pid), startTime, bootId };
}

export interface LaunchOptions {
  /** The directory for the PID file and the log. */
  readonly directory: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a detached script that keeps running when this process exits. */
export async function launch({ directory, script, environment }: LaunchOptions): Promise<void> {
  const log = await open(join(directory, 'log'), 'a', 0o600);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn('sh', [script], {
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '', RECORD_DIRECTORY: directory, ...environment },
      });
      child.once('spawn', resolve);
      child.once('error', reject);
      child.unref();
    });
  } finally {
    await log.close();
  }
}
