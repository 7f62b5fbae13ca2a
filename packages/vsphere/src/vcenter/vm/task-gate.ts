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
/** Time after which a running task is reported to the operator. It is long enough for a full clone over a slow network. */
const timeoutMs = 1_800_000;
/** Matches the operations of a deletion. The second pattern matches the last of them only. */
const removals = /powerOff|destroy/i;
const destruction = /destroy$/i;

/** The outcome with which the reconcile ends, 'open' to continue, or 'destroyed' after the task destroyed the VM. */
export type GateResult = Outcome | 'open' | 'destroyed';

/**
 * Continues the reconcile after the last task has succeeded. A failed task is retried after one minute, so that its
 * fault stays readable and vCenter does not immediately get the same request again.
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
  // A failed task of the creation does not block the deletion.
  const past = leaves && task.state === 'error' && !removals.test(task.operation);
  if (task.state === 'error' && !past && !isDoneAlready(task.error)) return afterFailure(report, task.error, nowMs);
  clearTask(report);
  return leaves && task.state === 'success' && destruction.test(task.operation) ? 'destroyed' : 'open';
}

/**
 * Waits for the task. A watch reports its end. A task that does not end is reported, not repeated: vCenter would run
 * both.
 */
function whileRunning(
  report: VmReport,
  moid: string,
  { operation, sinceMs }: Extract<TaskState, { state: 'running' }>,
  nowMs: number,
): Outcome {
  const { vm } = report;
  const runningMs = nowMs - (sinceMs ?? nowMs);
  if (runningMs < timeoutMs)
    return wait({ ms: timeoutMs - runningMs, reason: 'TaskRunning', message: `Waiting for vCenter task ${moid}` });
  const minutes = Math.floor(runningMs / 60_000);
  const message = `vCenter task ${moid} (${operation}) has been running for ${minutes} minutes; check it in the vSphere Client: reconciliation continues once it ends or is cancelled`;
  if (isDeleting(vm)) report.provisioned({ status: 'False', reason: 'Deleting', message });
  else if (vm.status?.ready !== true) report.provisioned({ status: 'False', reason: 'NotProvisioned', message });
  return wait({ ms: timeoutMs, reason: 'TaskRunning', message });
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
  // The cleared task is written before another one starts: the next reconcile then finds no task.
  return wait({ ms: 0, reason: 'TaskFailed', message: 'Retrying the failed task' });
}

function clearTask(report: VmReport): void {
  report.editStatus((status) => {
    delete status.taskRef;
    delete status.retryAfter;
  });
}

/** Returns whether the task failed because the VM already was in the requested power state, which is a success. */
function isDoneAlready({ fault, details }: TaskFailed): boolean {
  const { requestedState, existingState } = details as Data<'InvalidPowerState'>;
  return fault === 'InvalidPowerState' && requestedState !== undefined && requestedState === existingState;
}

const remedies: Readonly<Record<string, string>> = {
  DuplicateName:
    '; the folder already contains another VM of this name: rename or delete it, or use another folder or naming template',
  NoPermission: '; grant the privilege to the user of the identity Secret',
  NoDiskSpace: '; free up space on the datastore or use another one',
  InsufficientResourcesFault: '; free up resources in the resource pool or use another one',
};

function remedyFor({ fault }: TaskFailed): string {
  return remedies[fault] ?? '';
}
