import { type Cause, keyOf, type ReconcileContext } from '@slipway/runtime';
import { vsphereVms } from '../../api/index.js';
import type { CallOptions, Finder, ObjectRef, VimSession } from '../../vim25/index.js';
import type { VmParents } from './vm-parents.js';
import type { VmReport } from './vm-report.js';

/** The state of one reconcile of a VSphereVM. */
export interface VmScope {
  readonly context: ReconcileContext;
  readonly report: VmReport;
  readonly parents: VmParents;
  readonly session: VimSession;
  readonly finder: Finder;
  readonly options: CallOptions;
}

/** A call to vCenter, which is recorded as a change of the VSphereVM. */
export interface VCenterCall<R> extends Cause {
  /** What the call does, as a verb phrase: `clone VM`. */
  readonly action: string;
  readonly run: () => Promise<R>;
}

export function callVCenter<R>({ context, report }: VmScope, call: VCenterCall<R>): Promise<R> {
  return context.change({ verb: 'call', resource: vsphereVms, key: keyOf(report.vm), ...call });
}

/** Starts a task and records it. */
export async function startTask(scope: VmScope, call: VCenterCall<ObjectRef>): Promise<ObjectRef> {
  const task = await callVCenter(scope, call);
  await recordTask(scope, task);
  return task;
}

/** Writes the task to the status immediately: otherwise the next reconcile would start another one. */
export async function recordTask({ report }: VmScope, task: ObjectRef): Promise<void> {
  report.editStatus((status) => {
    status.taskRef = task.value;
    delete status.retryAfter;
  });
  await report.write();
}
