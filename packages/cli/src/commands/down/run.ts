import { directoryOwner } from '@slipway/apiserver';
import { sleep, systemClock } from '@slipway/base';
import { CliError, systemCode } from '../../errors/index.js';
import { type DataDirectory, dataDirectory, findInstance } from '../../instance/index.js';
import type { DownOptions } from './command.js';

const pollMs = 25;

/** Stops the instance and returns when it has let go of its directory. Already stopped is as good. */
export async function down(options: DownOptions): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  const instance = await findInstance(directory);
  if (instance === undefined) {
    process.stdout.write(`Slipway is not running in ${directory.root}\n`);
    return;
  }
  terminate(instance.pid);
  await waitUntilGone(directory, instance.pid, options.timeout);
  process.stdout.write(`Slipway in ${directory.root} stopped (process ${instance.pid})\n`);
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const code = systemCode(error);
    // It ended by itself in the meantime.
    if (code === 'ESRCH') return;
    if (code !== 'EPERM') throw error;
    throw new CliError(`process ${pid} belongs to another user`, {
      remedy: 'run `slipway down` as the user who started it',
      cause: error,
    });
  }
}

/** A process that is not our child tells nobody when it ends: there is nothing to wait on but its lock. */
async function waitUntilGone(directory: DataDirectory, pid: number, timeoutMs: number): Promise<void> {
  const deadline = systemClock.monotonic() + timeoutMs;
  while (directoryOwner(directory.store) === pid) {
    if (systemClock.monotonic() >= deadline) {
      throw new CliError(`process ${pid} was told to stop and still runs after ${timeoutMs / 1_000} s`, {
        remedy: `wait longer with --timeout, or end it with \`kill -9 ${pid}\`: no acknowledged write is lost by that`,
      });
    }
    await sleep(systemClock, pollMs);
  }
}
