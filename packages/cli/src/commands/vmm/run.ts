import { writeFile } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { systemClock } from '@slipway/base';
import { LaunchError, pingLaunch, prepareLaunch, reachGuest, runLaunch } from '@slipway/kvm';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import type { VmmAction, VmmFlags } from './command.js';

/** Termination message path of the container. */
const terminationMessagePath = '/dev/termination-log';
const invalidSpecExitCode = 4;

/** Runs a virtual machine in a pod. The exit code reflects how the virtual machine ended. */
export async function vmm(action: VmmAction, flags: VmmFlags): Promise<ExitCode> {
  // A message port keeps the process alive after the QEMU process exits, because clock timers do not.
  const { port1: alive } = new MessageChannel();
  alive.ref();
  try {
    return await act(action, flags);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Errors are ignored: the file exists only in a container.
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
      throw new CliError(`unknown action "${String(action)}"`, { exitCode: exitCodes.usage });
  }
}
