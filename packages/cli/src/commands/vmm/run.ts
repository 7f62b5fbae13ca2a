import { writeFile } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { systemClock } from '@slipway/base';
import { LaunchError, pingLaunch, prepareLaunch, reachGuest, runLaunch } from '@slipway/kvm';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import type { VmmAction, VmmFlags } from './command.js';

/** Where Kubernetes reads the last words of a container. */
const terminationMessagePath = '/dev/termination-log';
const invalidSpecExitCode = 4;

/** The launcher in a pod: its exit code tells Kubernetes what became of the machine. */
export async function vmm(action: VmmAction, flags: VmmFlags): Promise<ExitCode> {
  // Timers of the clock keep no process alive, and between the end of QEMU and ours there may be nothing else.
  const { port1: alive } = new MessageChannel();
  alive.ref();
  try {
    return await act(action, flags);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Outside of a container there is no such file, and nobody who reads it.
    await writeFile(process.env['TERMINATION_LOG'] ?? terminationMessagePath, error.message).catch(() => undefined);
    return invalidSpecExitCode;
  } finally {
    alive.close();
  }
}

async function act(action: VmmAction, flags: VmmFlags): Promise<ExitCode> {
  switch (action) {
    case 'prepare':
      await prepareLaunch(flags);
      return exitCodes.ok;
    case 'run': {
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
      return runLaunch(flags, { clock: systemClock, stop: stop.signal });
    }
    case 'ping':
      return (await pingLaunch(flags, systemClock)) ? exitCodes.ok : exitCodes.failed;
    case 'guest-tcp':
      return (await reachGuest(flags, Number(flags.port))) ? exitCodes.ok : exitCodes.failed;
    default:
      throw new CliError(`there is no action "${String(action)}"`, { exitCode: exitCodes.usage });
  }
}
