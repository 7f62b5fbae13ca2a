import { type Clock, endProcess, sleep } from '@slipway/base';
import type { MachineFiles } from '../local/layout.js';
import { readRecord } from '../local/machine-record.js';
import { startMachine } from '../local/start-machine.js';
import { type LauncherExitCode, launcherExitCodes } from '../pod/pod-state.js';
import { QmpClient, QmpClosedError, type QmpEvent, runningQemu } from '../qemu/index.js';
import { filesOf, type LauncherFolders, readDocument } from './launcher-folders.js';
import { bridgePod } from './pod-network.js';
import { LaunchError, podNetwork } from './prepare-launch.js';

const gracePeriodSecondsDefault = 90;
/** Interval between power-button events: a booting guest ignores them, so they are repeated. */
const pressAgainMs = 20_000;
const quitMs = 5_000;

export interface LaunchDependencies {
  readonly clock: Clock;
  /** Aborted on SIGTERM: the guest is shut down, not powered off. */
  readonly stop: AbortSignal;
}

/** Runs the virtual machine of the pod until it ends and returns the exit code of the launcher. */
export async function runLaunch(
  folders: LauncherFolders,
  { clock, stop }: LaunchDependencies,
): Promise<LauncherExitCode> {
  const document = await readDocument(folders);
  const files = filesOf(folders, document);
  const record = await readRecord(files);
  if (record === undefined) throw new LaunchError('InvalidSpec', 'the machine was not prepared');
  const network = await podNetwork(document, folders);
  if (network !== undefined) await bridgePod(network, document.uuid);
  await startMachine(files, record);
  const graceSeconds = document.spec.shutdown?.gracePeriodSeconds ?? gracePeriodSecondsDefault;
  const code = await superviseMachine(files, { clock, stop }, graceSeconds);
  await leaveNothing(files, document.uuid, clock);
  return code;
}

async function superviseMachine(
  { control }: MachineFiles,
  { clock, stop }: LaunchDependencies,
  graceSeconds: number,
): Promise<LauncherExitCode> {
  const { exitCode, onEvent, onClose } = watchForEnd();
  const client = await QmpClient.connect({ path: control, clock, onEvent, onClose });
  await client.execute('cont');
  const onStop = (): void => void shutDown(client, clock, graceSeconds);
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  const code = await exitCode;
  stop.removeEventListener('abort', onStop);
  client.dispose();
  return code;
}

/**
 * Returns callbacks for QMP events, and a promise of the launcher's exit code. The QMP connection closes when QEMU ends; the last
 * event contains the reason.
 */
function watchForEnd(): {
  readonly exitCode: Promise<LauncherExitCode>;
  readonly onEvent: (event: QmpEvent) => void;
  readonly onClose: () => void;
} {
  let lastShutdown: unknown;
  let end: (code: LauncherExitCode) => void = () => undefined;
  const exitCode = new Promise<LauncherExitCode>((resolve) => {
    end = resolve;
  });
  return {
    exitCode,
    onEvent: ({ event, data }) => {
      if (event === 'SHUTDOWN') lastShutdown = data['reason'];
      if (event === 'GUEST_PANICKED') end(launcherExitCodes.guestPanicked);
    },
    onClose: () => end(lastShutdown === undefined ? launcherExitCodes.crashed : launcherExitCodes.guestShutdown),
  };
}

/** Sends power-button events until the guest shuts down. After the grace period the machine is powered off. */
async function shutDown(client: QmpClient, clock: Clock, graceSeconds: number): Promise<void> {
  const deadline = clock.monotonic() + graceSeconds * 1_000;
  try {
    // Resume a paused guest, which could not react to the event.
    await client.execute('cont');
    while (!client.isClosed && clock.monotonic() < deadline) {
      await client.execute('system_powerdown');
      // The wait ends early if the connection closes, which means that the guest has shut down.
      await sleepWhileOpen(client, clock, Math.min(pressAgainMs, deadline - clock.monotonic()));
    }
    if (!client.isClosed) await client.execute('quit');
  } catch (error) {
    if (!(error instanceof QmpClosedError)) throw error;
  }
}

async function sleepWhileOpen(client: QmpClient, clock: Clock, ms: number): Promise<void> {
  const end = clock.monotonic() + ms;
  while (!client.isClosed && clock.monotonic() < end) await sleep(clock, Math.min(250, ms));
}

/** Waits for the end of QEMU and then kills it: a remaining process would keep the disks locked for the next launcher. */
async function leaveNothing(files: MachineFiles, uuid: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + quitMs;
  for (;;) {
    const qemu = await runningQemu(files.pid, uuid);
    if (qemu === undefined) return;
    if (clock.monotonic() > deadline) return endProcess(qemu, clock);
    await sleep(clock, 50);
  }
}
