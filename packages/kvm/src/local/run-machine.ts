import { copyFile, stat, truncate } from 'node:fs/promises';
import { done, type Outcome, wait } from '@slipway/runtime';
import { kvmConditions, type KVMReason, kvmReasons } from '../api/index.js';
import type { VmCondition, VmReport, WantedMachine } from '../machine/vm-service.js';
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
/** The guest cannot tell us that its bootstrap is over: it is asked. */
const askGuestMs = 5_000;
const settleMs = 500;

/** Keeps the machine running, and says how it is. */
export async function runMachine(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  scope: LocalScope,
): Promise<VmReport> {
  const { uuid } = wanted;
  const running = await runningQemu(files.pid, uuid);
  if (running === undefined) {
    const stopped = await switchOn(wanted, files, record, scope);
    if (stopped !== undefined) return stopped;
  }
  let client;
  try {
    client = await scope.sessions.attach(uuid, record.key, files);
  } catch (error) {
    if (!(error instanceof QmpClosedError)) throw error;
    return settling(wanted, files, record, await readState(files), error.message);
  }
  await rotateConsole(files.console);
  return observe(wanted, files, (await readRecord(files)) ?? record, client, scope);
}

/** Undefined when QEMU runs now; otherwise why not. */
async function switchOn(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  scope: LocalScope,
): Promise<VmReport | undefined> {
  const { uuid } = wanted;
  const nowMs = scope.clock.now();
  const state = await readState(files);
  if ((await findQemus(uuid)).length > 0)
    return settling(wanted, files, record, state, 'QEMU is about to start, or to end');
  const exit = scope.sessions.exitOf(uuid);
  const decision = decideRestart(state.starts, nowMs);
  if (decision.type !== 'now') return stopped(wanted, files, record, state, decision, exit);
  const started = { ...state, starts: [...recentStarts(state.starts, nowMs), nowMs], boots: state.boots + 1 };
  const result = await scope.perform({
    action: 'start QEMU',
    reason: started.boots === 1 ? kvmReasons.starting : kvmReasons.crashed,
    message: `Starting virtual machine ${uuid} for the ${started.boots}. time`,
    run: async () => {
      // Before QEMU starts: one that ends at once counts, too.
      await writeState(files, started);
      return startMachine(files, record);
    },
  });
  tellStart(result, started, exit, wanted, scope);
  return undefined;
}

function tellStart(
  { isNew, unlimitedBecause }: Started,
  { boots }: MachineState,
  exit = 'unseen',
  { uuid }: WantedMachine,
  { tell }: LocalScope,
): void {
  if (!isNew) return;
  if (boots === 1) tell('Normal', 'Created', `virtual machine ${uuid} was made`);
  else tell('Warning', 'VMCrashed', `virtual machine ${uuid} had ended (${exit}) and is switched on again`);
  if (unlimitedBecause !== undefined)
    tell('Warning', 'Unlimited', `QEMU runs without limits of memory and CPU time: ${unlimitedBecause}`);
}

function stopped(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  state: MachineState,
  decision: Exclude<ReturnType<typeof decideRestart>, { type: 'now' }>,
  exit = 'unseen',
): VmReport {
  const isOver = decision.type === 'never';
  const reason = isOver ? kvmReasons.crashLooping : exit === 'guest-shutdown' ? kvmReasons.stopped : kvmReasons.crashed;
  const message = isOver
    ? `the virtual machine ended ${decision.starts} times in ten minutes (last: ${exit}) and is left alone: see ${files.console}; replace the Machine`
    : `the virtual machine ended (${exit}) and is switched on again in ${Math.ceil(decision.ms / 1000)} s: see ${files.console}`;
  return {
    state: isOver ? 'failed' : 'terminated',
    conditions: [...preparedConditions, fails(vmRunning, reason, message)],
    addresses: addressesOfMachine(wanted),
    vm: vmOf(wanted, files, record, state, {}),
    outcome: wait({ ...(decision.type === 'later' && { ms: decision.ms }), reason, message }),
  };
}

/** Between two states, for a moment that nothing tells the end of. */
function settling(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  state: MachineState,
  message: string,
): VmReport {
  return {
    state: 'pending',
    conditions: [...preparedConditions, fails(vmRunning, kvmReasons.starting, message)],
    addresses: [],
    vm: vmOf(wanted, files, record, state, {}),
    outcome: wait({ ms: settleMs, reason: kvmReasons.starting, message }),
  };
}

const faults: Partial<Record<RunState, { reason: KVMReason; remedy: string }>> = {
  'io-error': { reason: kvmReasons.ioError, remedy: 'the disk of this host may be full: free space, and it goes on' },
  'guest-panicked': { reason: kvmReasons.guestPanicked, remedy: 'its kernel panicked: see the console' },
  'internal-error': { reason: kvmReasons.crashed, remedy: 'QEMU met an error of its own: try accelerator: tcg' },
  watchdog: { reason: kvmReasons.crashed, remedy: 'its watchdog ran out: see the console' },
};

async function observe(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  client: QmpClient,
  scope: LocalScope,
): Promise<VmReport> {
  const status = await goOn(client, files, scope);
  const { qemu } = (await client.execute('query-version')) as { qemu: Record<'major' | 'minor' | 'micro', number> };
  const qemuVersion = `${qemu.major}.${qemu.minor}.${qemu.micro}`;
  const pid = (await runningQemu(files.pid, wanted.uuid))?.pid;
  const state = await noteProgress(wanted, files, record, scope);
  const fault = faults[status];
  const running = fault
    ? fails(vmRunning, fault.reason, `the virtual machine stands still (${status}): ${fault.remedy}`)
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
      bootstrapCondition(state, wanted),
    ],
    addresses: addressesOfMachine(wanted),
    vm: vmOf(wanted, files, record, state, { ...(pid !== undefined && { pid }), qemuVersion }),
    outcome: outcomeOf(state, fault),
  };
}

function slowness({ slowBecause }: MachineRecord): string {
  return slowBecause === undefined ? '' : `runs without hardware acceleration, many times slower: ${slowBecause}`;
}

/** The guest runs once all is in place; and when the disk of the host was full, it tries again. */
async function goOn(client: QmpClient, files: MachineFiles, { tell, clock, perform }: LocalScope): Promise<RunState> {
  const { status } = (await client.execute('query-status')) as { status: RunState };
  if (status !== 'prelaunch' && status !== 'paused' && status !== 'io-error') return status;
  await perform({
    action: 'run guest',
    reason: kvmReasons.starting,
    message: `Running a guest that stands still (${status})`,
    run: () => client.execute('cont'),
  });
  const after = (await client.execute('query-status')) as { status: RunState };
  if (status === 'prelaunch') tell('Normal', 'Started', 'the virtual machine was switched on');
  else if (after.status === 'running') {
    const isSet = await setGuestTime(files.agent, clock);
    const remedy = isSet
      ? 'its clock was set'
      : 'its clock is late: nobody in the guest could set it; reboot it if TLS fails';
    tell(isSet ? 'Normal' : 'Warning', 'Resumed', `the virtual machine stood still (${status}) and goes on; ${remedy}`);
  }
  return after.status;
}

async function noteProgress(
  wanted: WantedMachine,
  files: MachineFiles,
  record: MachineRecord,
  { sessions, clock, tell, perform }: LocalScope,
): Promise<MachineState> {
  const before = await readState(files);
  const resets = sessions.takeResets(wanted.uuid);
  let after = resets === 0 ? before : { ...before, boots: before.boots + resets };
  if (before.isBootstrapped !== true && (await guestHasFile(files.agent, sentinel, clock)) === true) {
    after = { ...after, isBootstrapped: true };
    await perform({
      action: 'erase bootstrap data',
      reason: 'BootstrapSucceeded',
      message: `Erasing the bootstrap data of virtual machine ${wanted.uuid}`,
      run: () => forgetSecrets(files, record),
    });
    tell('Normal', 'BootstrapSucceeded', 'the bootstrap data was carried out');
  }
  if (after !== before) await writeState(files, after);
  return after;
}

/** The seed holds what joins a cluster, and is not needed twice. What names the instance stays, or it would all run again. */
async function forgetSecrets(files: MachineFiles, { format, facts }: MachineRecord): Promise<void> {
  if (format === 'ignition') await replaceFile(files.ignition, JSON.stringify({ ignition: { version: '3.3.0' } }));
  else await replaceFile(files.seed, blankDisc(facts));
}

function bootstrapCondition(state: MachineState, { machine }: WantedMachine): VmCondition {
  // Without an agent in the guest, the Node tells.
  if (state.isBootstrapped === true || machine.status?.nodeRef?.name !== undefined)
    return holds(bootstrapSucceeded, 'Succeeded');
  const message = 'the guest has not told yet that the bootstrap data was carried out';
  return { type: bootstrapSucceeded, status: 'Unknown', reason: kvmReasons.bootstrapRunning, message };
}

function outcomeOf(state: MachineState, fault: { reason: string; remedy: string } | undefined): Outcome {
  if (fault !== undefined) return wait({ ms: askGuestMs, reason: fault.reason, message: fault.remedy });
  if (state.isBootstrapped === true) return done();
  return wait({
    ms: askGuestMs,
    reason: kvmReasons.bootstrapRunning,
    message: 'asks the guest whether its bootstrap is over',
  });
}

const consoleBytesMax = 16 * 1024 ** 2;

/** Keeps the end of what a guest says and the part before. QEMU appends to the file, so that it can be cut under its hands. */
async function rotateConsole(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size < consoleBytesMax) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
