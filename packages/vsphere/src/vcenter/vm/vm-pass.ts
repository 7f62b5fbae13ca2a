import type { ReconcileContext } from '@slipway/runtime';
import type { CallOptions, Finder, VimSession } from '../../vim25/index.js';
import type { VmParents } from './vm-parents.js';
import type { VmReport } from './vm-report.js';

/** What one look at a VSphereVM works with. */
export interface VmPass {
  readonly context: ReconcileContext;
  readonly report: VmReport;
  readonly parents: VmParents;
  readonly session: VimSession;
  readonly finder: Finder;
  readonly options: CallOptions;
}

/** Remembers a task that was begun, at once: without it the next pass would begin another. */
export async function beginTask({ report }: VmPass, task: { readonly value: string }): Promise<void> {
  report.editStatus((status) => {
    status.taskRef = task.value;
    delete status.retryAfter;
  });
  await report.write();
}
