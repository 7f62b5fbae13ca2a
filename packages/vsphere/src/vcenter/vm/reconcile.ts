import { type ClusterCache, openReconcile } from '@slipway/cluster-api';
import {
  done,
  FencedError,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  retry,
  wait,
} from '@slipway/runtime';
import { vsphereFinalizers, vsphereVms } from '../../api/index.js';
import { Finder, type VimSession } from '../../vim25/index.js';
import { openSession, outageMessage, type StandBy } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { ensureVm } from './ensure-vm.js';
import { removeVm } from './remove-vm.js';
import { passTaskGate } from './task-gate.js';
import { observeParents, type VmParents } from './vm-parents.js';
import type { VmScope } from './vm-scope.js';
import { VmReport } from './vm-report.js';
import type { VmWatches } from './vm-watches.js';

export interface VmController {
  readonly dependencies: VCenterDependencies;
  readonly watches: VmWatches;
  readonly standBy: StandBy;
  readonly workloads: ClusterCache;
}

/** Reconciles one virtual machine in vCenter. */
export async function reconcileVSphereVm(
  key: ObjectKey,
  context: ReconcileContext,
  controller: VmController,
): Promise<Outcome> {
  const vm = context.sources.sourceFor(vsphereVms).get(key);
  if (vm === undefined) {
    forget(key, controller);
    return done();
  }
  const parents = observeParents(context.sources, vm);
  const { cluster } = parents;
  const opening = { finalizer: vsphereFinalizers.vsphereVm, cluster, reportsPaused: true };
  if (!(await openReconcile(context, vsphereVms, vm, opening))) return done();
  const isOrphan = parents.machine === undefined && !parents.isLoadBalancer;
  if (!isDeleting(vm) && (isOrphan || parents.vsphereCluster === undefined)) {
    return wait({
      reason: 'WaitingForOwner',
      message: 'Waiting for the Machine and the VSphereCluster to exist',
    });
  }
  const report = new VmReport(vm, context, cluster);
  let outcome: Outcome;
  try {
    outcome = await observeAndStep(key, context, controller, { report, parents });
  } catch (error) {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    outcome = reportFailure(report, error, controller.standBy.isAway(key));
  }
  if (outcome.type === 'done') controller.standBy.end(key);
  if (outcome !== removed) await report.write();
  return outcome;
}

function forget(key: ObjectKey, { watches, standBy }: VmController): void {
  watches.forget(key);
  standBy.end(key);
}

/** Outcome after a deletion: the VSphereVM may not exist anymore, so no status is written. */
const removed: Outcome = { type: 'done' };

async function observeAndStep(
  key: ObjectKey,
  context: ReconcileContext,
  controller: VmController,
  { report, parents }: { readonly report: VmReport; readonly parents: VmParents },
): Promise<Outcome> {
  const { vm } = report;
  const { signal } = context;
  const choice = { server: vm.spec.server, thumbprint: vm.spec.thumbprint };
  const waiter = { key, standBy: controller.standBy };
  const session = await openSession(context, controller.dependencies, parents.vsphereCluster, choice, waiter);
  const options = { signal };
  const finder = new Finder(session.soap, vm.spec.datacenter ?? '*', options, session.names);
  const scope: VmScope = { context, report, parents, session, finder, options };
  const gate = await passTaskGate(report, session, context.clock.now(), options);
  report.vcenter({ status: 'True', reason: 'Available' });
  if (typeof gate === 'object') {
    follow(key, controller, scope, session);
    return gate;
  }
  const result = await forgetOnFailure(session, () =>
    isDeleting(vm) ? removeVm(scope, controller.workloads, gate === 'destroyed') : ensureVm(scope),
  );
  if (result === undefined) {
    forget(key, controller);
    await releaseFinalizer(context, vsphereVms, vm, vsphereFinalizers.vsphereVm);
    return removed;
  }
  follow(key, controller, scope, session, result.machine);
  return result.outcome;
}

/** Clears the cached lookups after a failure, which an outdated lookup may have caused. */
async function forgetOnFailure<T>(session: VimSession, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    session.names.forget();
    throw error;
  }
}

/** Starts the watches of the VM and its task, which trigger the next reconcile instead of polling. */
function follow(
  key: ObjectKey,
  { watches }: VmController,
  { report, context }: VmScope,
  session: VimSession,
  machine?: Parameters<VmWatches['follow']>[2]['machine'],
): void {
  watches.follow(key, session, { machine, task: report.vm.status?.taskRef }, context.enqueue);
}

function reportFailure(report: VmReport, error: unknown, isAway: boolean): Outcome {
  const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
  const message = outageMessage(cause);
  if (message !== undefined) {
    const reason = 'VCenterUnreachable';
    report.vcenter({ status: 'False', reason, message });
    return isAway ? wait({ reason, message }) : retry(cause);
  }
  const { vm } = report;
  const reported =
    cause instanceof ReconcileError &&
    (cause.reason === 'NotFoundByBIOSUUID' || cause.reason === 'TagsAttachmentFailed');
  if (isDeleting(vm)) {
    report.provisioned({
      status: 'False',
      reason: 'Deleting',
      message: cause.message,
      old: ['DeletionFailed', 'Warning'],
    });
  } else if (!reported) {
    report.provisioned({ status: 'False', reason: 'NotProvisioned', message: cause.message });
  }
  return retry(cause);
}
