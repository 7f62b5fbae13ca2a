import { rm } from 'node:fs/promises';
import { wait } from '@slipway/runtime';
import { kvmReasons } from '../api/index.js';
import type { DeletingMachine, VmRemoval } from '../machine/vm-service.js';
import { endQemus, hasEnded, type QmpClient, QmpClosedError, QmpError, runningQemu } from '../qemu/index.js';
import { removeCgroup } from './cgroup.js';
import { type MachineFiles, removeStaging } from './layout.js';
import type { LocalScope } from './local-scope.js';
import { readRecord, readState, writeState } from './machine-record.js';
import { removeTap, tapNameOf } from './taps.js';
import { etcdPathOf } from './plan-machine.js';

const graceSecondsDefault = 90;
/** Interval between power-button events: a booting guest ignores them, so they are repeated. */
const pressAgainMs = 20_000;
const quitMs = 2_000;

/** Shuts the guest down, powers it off after the grace period, and deletes its files. */
export async function removeMachine(
  deleting: DeletingMachine,
  files: MachineFiles,
  scope: LocalScope,
): Promise<VmRemoval | undefined> {
  const { uuid } = deleting;
  if ((await runningQemu(files.pid, uuid)) !== undefined) {
    const waiting = await shutDown(deleting, files, scope);
    if (waiting !== undefined) return waiting;
  }
  await scope.perform({
    action: 'destroy VM',
    reason: 'Deleting',
    message: `Powering off virtual machine ${uuid} and deleting its disks`,
    run: () => destroy(deleting, files, scope),
  });
  scope.recordEvent('Normal', 'Destroyed', `deleted virtual machine ${uuid}, its disks and its files`);
  return undefined;
}

async function destroy(deleting: DeletingMachine, files: MachineFiles, scope: LocalScope): Promise<void> {
  const { uuid } = deleting;
  await powerOff(uuid, files, scope);
  // End QEMU processes without a pid file too: a starting process may not have written it yet.
  await endQemus(uuid, scope.clock);
  scope.sessions.detach(uuid);
  await removeTap(tapNameOf(uuid));
  await removeCgroup(uuid);
  if (deleting.kvmMachine.spec?.etcd?.storage === 'HostPath')
    await rm(etcdPathOf(deleting.kvmMachine), { recursive: true, force: true });
  await rm(files.runDirectory, { recursive: true, force: true });
  await rm(files.directory, { recursive: true, force: true });
  await removeStaging(files);
}

/**
 * Requests the shutdown of the guest and returns its progress. Undefined when the grace period is over or QEMU does not respond.
 */
async function shutDown(
  deleting: DeletingMachine,
  files: MachineFiles,
  scope: LocalScope,
): Promise<VmRemoval | undefined> {
  const { clock, sessions, recordEvent, perform } = scope;
  const record = await readRecord(files);
  if (record === undefined) return undefined;
  const state = await readState(files);
  const nowMs = clock.now();
  const graceMs = (deleting.kvmMachine.spec?.shutdown?.gracePeriodSeconds ?? graceSecondsDefault) * 1000;
  const since = state.shutdownRequestedAtMs ?? nowMs;
  const leftMs = since + graceMs - nowMs;
  if (leftMs <= 0) {
    recordEvent(
      'Warning',
      'ShutdownTimedOut',
      `the guest did not shut down within ${graceMs / 1000} s and is powered off`,
    );
    return undefined;
  }
  try {
    const client = await sessions.attach(deleting.uuid, record.key, files);
    await perform({
      action: 'press power button',
      reason: kvmReasons.shuttingDown,
      message: `Asking the guest of virtual machine ${deleting.uuid} to shut down`,
      run: () => pressPowerButton(client),
    });
  } catch (error) {
    if (error instanceof QmpClosedError || error instanceof QmpError) return undefined;
    throw error;
  }
  if (state.shutdownRequestedAtMs === undefined) {
    await writeState(files, { ...state, shutdownRequestedAtMs: since });
    recordEvent('Normal', 'ShutdownRequested', 'requested the guest to shut down');
  }
  const message = `Waiting for the guest to shut down, ${Math.ceil(leftMs / 1000)} s left`;
  return {
    state: 'shutting-down',
    condition: { reason: kvmReasons.shuttingDown, message },
    outcome: wait({ ms: Math.min(leftMs, pressAgainMs), reason: kvmReasons.shuttingDown, message }),
  };
}

/**
 * Resumes a paused guest, which could not react, and sends a power-button event. That QEMU accepts it does not mean that the
 * guest noticed it.
 */
async function pressPowerButton(client: QmpClient): Promise<void> {
  const { running } = (await client.execute('query-status')) as { running: boolean };
  if (!running) await client.execute('cont');
  await client.execute('system_powerdown');
}

async function powerOff(uuid: string, files: MachineFiles, { sessions, clock }: LocalScope): Promise<void> {
  const qemu = await runningQemu(files.pid, uuid);
  const record = await readRecord(files);
  if (qemu === undefined || record === undefined) return;
  try {
    await (await sessions.attach(uuid, record.key, files)).execute('quit');
  } catch (error) {
    // QEMU may close the connection before it responds.
    if (!(error instanceof QmpClosedError || error instanceof QmpError)) throw error;
  }
  await hasEnded(qemu, quitMs, clock);
}
