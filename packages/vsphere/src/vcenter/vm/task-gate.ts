import { formatTime, parseTime } from '@slipway/kube';
import { isDeleting, type Outcome, wait } from '@slipway/runtime';
import {
  type CallOptions,
  type Data,
  readTask,
  type TaskFailed,
  taskRef,
  type TaskState,
  type VimSession,
} from '../../vim25/index.js';
import type { VmReport } from './vm-report.js';

const retryAfterMs = 60_000;
/** A full clone over a slow network takes long; one that takes longer needs a person. */
const patienceMs = 1_800_000;
/** The operations by which a machine goes, and the last of them. */
const removals = /powerOff|destroy/i;
const destruction = /destroy$/i;

/** Why a pass ends at the gate, that it goes on, or that there is nothing left to look for: its task has destroyed the machine. */
export type GateResult = Outcome | 'open' | 'destroyed';

/**
 * Lets a pass go on when the task of the last one has ended well. A task that failed is left for a minute: its fault stays
 * to be read, and vCenter is not asked for the same again at once.
 */
export async function passTaskGate(
  report: VmReport,
  session: VimSession,
  nowMs: number,
  options: CallOptions,
): Promise<GateResult> {
  const moid = report.vm.status?.taskRef;
  if (moid === undefined || moid === '') return 'open';
  const task = await readTask(session.soap, taskRef(moid), options);
  if (task.state === 'running') return whileRunning(report, moid, task, nowMs);
  const leaves = isDeleting(report.vm);
  // What failed while the machine was being made does not keep it from going.
  const past = leaves && task.state === 'error' && !removals.test(task.operation);
  if (task.state === 'error' && !past && !isDoneAlready(task.error)) return afterFailure(report, task.error, nowMs);
  clearTask(report);
  return leaves && task.state === 'success' && destruction.test(task.operation) ? 'destroyed' : 'open';
}

/** Its end is watched. One that does not end is told of, and left to those who can see why: vCenter would do both. */
function whileRunning(
  report: VmReport,
  moid: string,
  { operation, sinceMs }: Extract<TaskState, { state: 'running' }>,
  nowMs: number,
): Outcome {
  const { vm } = report;
  const runningMs = nowMs - (sinceMs ?? nowMs);
  if (runningMs < patienceMs)
    return wait({ ms: patienceMs - runningMs, reason: 'TaskRunning', message: `vCenter works on ${moid}` });
  const minutes = Math.floor(runningMs / 60_000);
  const message = `vCenter works on ${operation} ${moid} for ${minutes} minutes; look at the task in vSphere Client: once it ends or is cancelled there, the machine goes on`;
  if (isDeleting(vm)) report.provisioned({ status: 'False', reason: 'Deleting', message });
  else if (vm.status?.ready !== true) report.provisioned({ status: 'False', reason: 'NotProvisioned', message });
  return wait({ ms: patienceMs, reason: 'TaskRunning', message });
}

function afterFailure(report: VmReport, error: TaskFailed, nowMs: number): Outcome {
  const { retryAfter } = report.vm.status ?? {};
  const message = `${error.message}${remedyFor(error)}`;
  if (retryAfter === undefined) {
    report.provisioned({ status: 'False', reason: 'TaskFailed', message });
    report.editStatus((status) => {
      status.retryAfter = formatTime(nowMs + retryAfterMs);
    });
    return wait({ ms: retryAfterMs, reason: 'TaskFailed', message });
  }
  const leftMs = parseTime(retryAfter) - nowMs;
  if (leftMs > 0) return wait({ ms: leftMs, reason: 'TaskFailed', message });
  clearTask(report);
  // Written before anything else is begun: the next pass starts without a past.
  return wait({ ms: 0, reason: 'TaskFailed', message: 'the task is tried again' });
}

function clearTask(report: VmReport): void {
  report.editStatus((status) => {
    delete status.taskRef;
    delete status.retryAfter;
  });
}

/** Asked to be on while it is on: somebody else was quicker, and that is just as well. */
function isDoneAlready({ fault, details }: TaskFailed): boolean {
  const { requestedState, existingState } = details as Data<'InvalidPowerState'>;
  return fault === 'InvalidPowerState' && requestedState !== undefined && requestedState === existingState;
}

const remedies: Readonly<Record<string, string>> = {
  DuplicateName:
    '; the folder already has a machine of this name, which is not ours: rename or delete it, or choose another folder or naming template',
  NoPermission: '; grant the privilege to the user of the identity Secret',
  NoDiskSpace: '; free space on the datastore or choose another one',
  InsufficientResourcesFault: '; free resources in the pool or choose another one',
};

function remedyFor({ fault }: TaskFailed): string {
  return remedies[fault] ?? '';
}
