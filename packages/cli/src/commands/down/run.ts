import { directoryOwner } from '@slipway/apiserver';
import { sleep, systemClock } from '@slipway/base';
import { CliError, systemCode } from '../../errors/index.js';
import { type DataDirectory, dataDirectory, findInstance } from '../../instance/index.js';
import type { DownOptions } from './command.js';

const pollMs = 25;

/** Stops the instance and waits until it has released the lock of its directory. Succeeds if none is running. */
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
    // The process exited in the meantime.
    if (code === 'ESRCH') return;
    if (code !== 'EPERM') throw error;
    throw new CliError(`process ${pid} belongs to another user`, {
      remedy: 'run `slipway down` as the user who started it',
      cause: error,
    });
  }
}

/** The process is not a child of this one, so its exit cannot be awaited: poll its lock instead. */
async function waitUntilGone(directory: DataDirectory, pid: number, timeoutMs: number): Promise<void> {
  const deadline = systemClock.monotonic() + timeoutMs;
  while (directoryOwner(directory.store) === pid) {
    if (systemClock.monotonic() >= deadline) {
      throw new CliError(`process ${pid} did not stop within ${timeoutMs / 1_000} s`, {
        remedy: `wait longer with --timeout, or run \`kill -9 ${pid}\`: no acknowledged write is lost`,
      });
    }
    await sleep(systemClock, pollMs);
  }
}
