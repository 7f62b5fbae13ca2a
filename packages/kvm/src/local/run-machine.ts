import { copyFile, stat, truncate } from 'node:fs/promises';
import { done, type Outcome, wait } from '@slipway/runtime';
import { kvmConditions, type KVMReason, kvmReasons } from '../api/index.js';
import type { VmCondition, VmReport, DesiredMachine } from '../machine/vm-service.js';
import { findQemus, guestHasFile, type QmpClient, QmpClosedError, runningQemu, setGuestTime } from '../qemu/index.js';
import { blankDisc } from '../seed/index.js';
import { type MachineFiles, replaceFile } from './layout.js';
import type { LocalScope } from './local-scope.js';
import { type MachineRecord, type MachineState, readRecord, readState, writeState } from './machine-record.js';
import { addressesOfMachine, fails, holds, preparedConditions, vmOf } from './report.js';
import { decideRestart, recentStarts } from './restart-policy.js';
import type { RunState } from './sessions.js';
import { startMachine, type Started } from './start-machine.js';

const { vmProvisioned, vmRunning, bootstrapSucceeded } = kvmConditions;
const sentinel = '/run/cluster-api/bootstrap-success.complete';
/** Interval at which the guest agent is asked whether the bootstrap has ended. */
const askGuestMs = 5_000;
const settleMs = 500;

/** Keeps the machine running and reports its state. */
export async function runMachine(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  scope: LocalScope,
): Promise<VmReport> {
  const { uuid } = desired;
  const running = await runningQemu(files.pid, uuid);
  if (running === undefined) {
    const stopped = await switchOn(desired, files, record, scope);
    if (stopped !== undefined) return stopped;
  }
  let client;
  try {
    client = await scope.sessions.attach(uuid, record.key, files);
  } catch (error) {
    if (!(error instanceof QmpClosedError)) throw error;
    return settling(desired, files, record, await readState(files), error.message);
  }
  await rotateConsole(files.console);
  return observe(desired, files, (await readRecord(files)) ?? record, client, scope);
}

/** Starts QEMU unless it runs or must wait. Returns a report if QEMU does not run yet. */
async function switchOn(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  scope: LocalScope,
): Promise<VmReport | undefined> {
  const { uuid } = desired;
  const nowMs = scope.clock.now();
  const state = await readState(files);
  if ((await findQemus(uuid)).length > 0)
    return settling(desired, files, record, state, 'Waiting for QEMU to start or to exit');
  const exit = scope.sessions.exitOf(uuid);
  const decision = decideRestart(state.starts, nowMs);
  if (decision.type !== 'now') return stopped(desired, files, record, state, decision, exit);
  const started = { ...state, starts: [...recentStarts(state.starts, nowMs), nowMs], boots: state.boots + 1 };
  const result = await scope.perform({
    action: 'start QEMU',
    reason: started.boots === 1 ? kvmReasons.starting : kvmReasons.crashed,
    message: `Starting virtual machine ${uuid} (boot ${started.boots})`,
    run: async () => {
      // The start is recorded before QEMU starts, so that a start that fails immediately is included in the restart
      // backoff.
      await writeState(files, started);
      return startMachine(files, record);
    },
  });
  recordStart(result, started, exit, desired, scope);
  return undefined;
}

function recordStart(
  { isNew, unlimitedBecause }: Started,
  { boots }: MachineState,
  exit = 'unseen',
  { uuid }: DesiredMachine,
  { recordEvent }: LocalScope,
): void {
  if (!isNew) return;
  if (boots === 1) recordEvent('Normal', 'Created', `created virtual machine ${uuid}`);
  else recordEvent('Warning', 'VMCrashed', `virtual machine ${uuid} exited (${exit}) and was restarted`);
  if (unlimitedBecause !== undefined)
    recordEvent('Warning', 'Unlimited', `QEMU runs without memory and CPU limits: ${unlimitedBecause}`);
}

function stopped(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  state: MachineState,
  decision: Exclude<ReturnType<typeof decideRestart>, { type: 'now' }>,
  exit = 'unseen',
): VmReport {
  const isOver = decision.type === 'never';
  const reason = isOver ? kvmReasons.crashLooping : exit === 'guest-shutdown' ? kvmReasons.stopped : kvmReasons.crashed;
  const message = isOver
    ? `the virtual machine exited ${decision.starts} times in ten minutes (last: ${exit}) and is no longer restarted: see ${files.console}; replace the Machine`
    : `the virtual machine exited (${exit}) and is restarted in ${Math.ceil(decision.ms / 1000)} s: see ${files.console}`;
  return {
    state: isOver ? 'failed' : 'terminated',
    conditions: [...preparedConditions, fails(vmRunning, reason, message)],
    addresses: addressesOfMachine(desired),
    vm: vmOf(desired, files, record, state, {}),
    outcome: wait({ ...(decision.type === 'later' && { ms: decision.ms }), reason, message }),
  };
}

/** Reports a transient state. No event reports the end of that state, so it is polled. */
function settling(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  state: MachineState,
  message: string,
): VmReport {
  return {
    state: 'pending',
    conditions: [...preparedConditions, fails(vmRunning, kvmReasons.starting, message)],
    addresses: [],
    vm: vmOf(desired, files, record, state, {}),
    outcome: wait({ ms: settleMs, reason: kvmReasons.starting, message }),
  };
}

const faults: Partial<Record<RunState, { reason: KVMReason; remedy: string }>> = {
  'io-error': {
    reason: kvmReasons.ioError,
    remedy: 'the disk of this host may be full: free space, and the virtual machine resumes',
  },
  'guest-panicked': { reason: kvmReasons.guestPanicked, remedy: 'its kernel panicked: see the serial console' },
  'internal-error': { reason: kvmReasons.crashed, remedy: 'QEMU reported an internal error: try accelerator: tcg' },
  watchdog: { reason: kvmReasons.crashed, remedy: 'its watchdog expired: see the serial console' },
};

async function observe(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  client: QmpClient,
  scope: LocalScope,
): Promise<VmReport> {
  const status = await goOn(client, files, scope);
  const { qemu } = (await client.execute('query-version')) as { qemu: Record<'major' | 'minor' | 'micro', number> };
  const qemuVersion = `${qemu.major}.${qemu.minor}.${qemu.micro}`;
  const pid = (await runningQemu(files.pid, desired.uuid))?.pid;
  const state = await noteProgress(desired, files, record, scope);
  const fault = faults[status];
  const running = fault
    ? fails(vmRunning, fault.reason, `the virtual machine is suspended (${status}): ${fault.remedy}`)
    : holds(
        vmRunning,
        record.slowBecause === undefined ? kvmReasons.running : kvmReasons.slowAccelerator,
        slowness(record),
      );
  return {
    state: 'running',
    conditions: [
      ...preparedConditions,
      holds(vmProvisioned, 'Provisioned'),
      running,
      bootstrapCondition(state, desired),
    ],
    addresses: addressesOfMachine(desired),
    vm: vmOf(desired, files, record, state, { ...(pid !== undefined && { pid }), qemuVersion }),
    outcome: outcomeOf(state, fault),
  };
}

function slowness({ slowBecause }: MachineRecord): string {
  return slowBecause === undefined
    ? ''
    : `the virtual machine runs under software emulation (TCG), which is many times slower: ${slowBecause}`;
}

/** Resumes a guest that has not run yet, was paused, or stopped because the disk of the host was full. */
async function goOn(
  client: QmpClient,
  files: MachineFiles,
  { recordEvent, clock, perform }: LocalScope,
): Promise<RunState> {
  const { status } = (await client.execute('query-status')) as { status: RunState };
  if (status !== 'prelaunch' && status !== 'paused' && status !== 'io-error') return status;
  await perform({
    action: 'run guest',
    reason: kvmReasons.starting,
    message: `Resuming a suspended guest (${status})`,
    run: () => client.execute('cont'),
  });
  const after = (await client.execute('query-status')) as { status: RunState };
  if (status === 'prelaunch') recordEvent('Normal', 'Started', 'powered on the virtual machine');
  else if (after.status === 'running') {
    const isSet = await setGuestTime(files.agent, clock);
    const remedy = isSet
      ? 'its clock was synchronized'
      : 'its clock could not be synchronized because the guest agent did not respond; reboot the guest if TLS connections fail';
    recordEvent(
      isSet ? 'Normal' : 'Warning',
      'Resumed',
      `the virtual machine was suspended (${status}) and resumed; ${remedy}`,
    );
  }
  return after.status;
}

async function noteProgress(
  desired: DesiredMachine,
  files: MachineFiles,
  record: MachineRecord,
  { sessions, clock, recordEvent, perform }: LocalScope,
): Promise<MachineState> {
  const before = await readState(files);
  const resets = sessions.takeResets(desired.uuid);
  let after = resets === 0 ? before : { ...before, boots: before.boots + resets };
  if (before.isBootstrapped !== true && (await guestHasFile(files.agent, sentinel, clock)) === true) {
    after = { ...after, isBootstrapped: true };
    await perform({
      action: 'erase bootstrap data',
      reason: 'BootstrapSucceeded',
      message: `Erasing the bootstrap data of virtual machine ${desired.uuid}`,
      run: () => forgetSecrets(files, record),
    });
    recordEvent('Normal', 'BootstrapSucceeded', 'the guest ran the bootstrap data');
  }
  if (after !== before) await writeState(files, after);
  return after;
}

/** Erases the join token from the seed. The instance ID stays the same: with another one, cloud-init would run again. */
async function forgetSecrets(files: MachineFiles, { format, facts }: MachineRecord): Promise<void> {
  if (format === 'ignition') await replaceFile(files.ignition, JSON.stringify({ ignition: { version: '3.3.0' } }));
  else await replaceFile(files.seed, blankDisc(facts));
}

function bootstrapCondition(state: MachineState, { machine }: DesiredMachine): VmCondition {
  // Without a guest agent, the Node shows that the bootstrap succeeded.
  if (state.isBootstrapped === true || machine.status?.nodeRef?.name !== undefined)
    return holds(bootstrapSucceeded, 'Succeeded');
  const message = 'Waiting for the guest to report that bootstrap succeeded';
  return { type: bootstrapSucceeded, status: 'Unknown', reason: kvmReasons.bootstrapRunning, message };
}

function outcomeOf(state: MachineState, fault: { reason: string; remedy: string } | undefined): Outcome {
  if (fault !== undefined) return wait({ ms: askGuestMs, reason: fault.reason, message: fault.remedy });
  if (state.isBootstrapped === true) return done();
  return wait({
    ms: askGuestMs,
    reason: kvmReasons.bootstrapRunning,
    message: 'Waiting to query the guest for the result of the bootstrap',
  });
}

const consoleBytesMax = 16 * 1024 ** 2;

/** Truncates the console log and keeps its end. QEMU appends to the file, so that it can be truncated in place. */
async function rotateConsole(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size < consoleBytesMax) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
