import {
  internalErrorMessage,
  isControlPlaneMachine,
  isDeleting,
  labels,
  machinePools,
  machines,
  nameOf,
  type ObservedMachine,
  reasons,
  staleMachinesMessage,
} from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { done, labelIndex, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { kubeadmFinalizers, kubeadmReasons } from '../api/index.js';
import { hookRemoval } from './control-plane-changes.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import { inspectControlPlane } from './inspect-control-plane.js';
import { controlPlaneMachines } from './find-machines.js';

/**
 * Deletes a control plane once no object depends on it. All its machines are deleted together, without a drain and
 * without removing their etcd members, because no workload is left.
 */
export async function deleteControlPlane(scope: ControlPlaneScope): Promise<Outcome> {
  if (scope.machines.length === 0) return finish(scope);
  try {
    await inspectControlPlane(scope);
  } catch (error) {
    // Continue: the control plane of an unreachable cluster must be deletable too.
    scope.context.logger.info(
      { err: error },
      'Failed to refresh the conditions of a control plane that is being deleted',
    );
  }
  const blockers = await blockingObjects(scope);
  if (blockers.length > 0) return waitForWorkers(scope, blockers);
  await deleteMachines(scope);
  return waitForMachines(scope);
}

function finish(scope: ControlPlaneScope): Outcome {
  scope.deletion = { reason: reasons.deletionCompleted, message: 'Deletion completed' };
  scope.update(({ metadata }) => removeFinalizer(metadata, kubeadmFinalizers.kubeadmControlPlane));
  return done();
}

/** Returns the workers that must be deleted first, because they cannot be drained without an API server. */
async function blockingObjects(scope: ControlPlaneScope): Promise<string[]> {
  const { sources } = scope.context;
  const { namespace, name } = scope.clusterKey;
  const index = labelIndex(labels.clusterName);
  const text = `${namespace}/${name}`;
  const pools = sources.sourceFor(machinePools).byIndex(index, text);
  const workers = sources
    .sourceFor(machines)
    .byIndex(index, text)
    .filter((machine) => !isControlPlaneMachine(machine));
  return [
    ...(pools.length > 0 ? [`MachinePools: ${listNames(pools.map(nameOf))}`] : []),
    ...(workers.length > 0 ? [`Machines: ${listNames(workers.map(nameOf))}`] : []),
  ];
}

const namesMax = 5;

function listNames(names: readonly string[]): string {
  const sorted = [...names].sort();
  const more = sorted.length - namesMax;
  return more > 0 ? `${sorted.slice(0, namesMax).join(', ')}, ... (${more} more)` : sorted.join(', ');
}

const workersRetryMs = 30_000;

function waitForWorkers(scope: ControlPlaneScope, blockers: readonly string[]): Outcome {
  const lines = blockers.map((line) => `* ${line}`).join('\n');
  const message = `KubeadmControlPlane deletion blocked because following objects still exist:\n${lines}`;
  scope.deletion = { reason: kubeadmReasons.waitingForWorkersDeletion, message };
  markResized(scope, 'Waiting for worker nodes to be deleted first');
  return wait({ ms: workersRetryMs, reason: kubeadmReasons.waitingForWorkersDeletion, message });
}

function markResized(scope: ControlPlaneScope, message: string): void {
  const state = { type: 'Resized', status: 'False', reason: 'Deleting', severity: 'Info' } as const;
  scope.mark({ ...state, ...(message !== '' && { message }) });
}

async function deleteMachines(scope: ControlPlaneScope): Promise<void> {
  const failures = (await Promise.all(scope.observedMachines.map((machine) => deleteOne(scope, machine)))).filter(
    (failure) => failure !== undefined,
  );
  if (failures.length === 0) return;
  const error = failures.length === 1 ? failures[0] : new AggregateError(failures, failures.map(String).join('; '));
  const cluster = `${scope.clusterKey.namespace}/${scope.clusterKey.name}`;
  const message = `Failed to delete control plane Machines for cluster ${cluster} control plane: ${String(error)}`;
  scope.context.events.record(scope.original, { type: 'Warning', reason: 'FailedDelete', action: 'Delete', message });
  scope.deletion = { reason: reasons.internalError, message: internalErrorMessage };
  throw error as Error;
}

async function deleteOne(scope: ControlPlaneScope, machine: ObservedMachine): Promise<Error | undefined> {
  const { context } = scope;
  const name = nameOf(machine);
  const reason = 'ControlPlaneDeleted';
  const key = { namespace: scope.clusterKey.namespace, name };
  try {
    await context.change(hookRemoval(machine, { reason, message: 'the control plane is being deleted' }));
    if (isDeleting(machine)) return undefined;
    const message = `Deleted Machine ${name}: the control plane is being deleted`;
    await context.change({ verb: 'delete', resource: machines, key, reason, message });
  } catch (error) {
    if (!isReason(error, 'NotFound')) return error instanceof Error ? error : new Error(String(error));
  }
  return undefined;
}

function waitForMachines(scope: ControlPlaneScope): Outcome {
  const left = controlPlaneMachines(scope.context, scope.cluster);
  const count = scope.machines.length;
  const stale = staleMachinesMessage(left, scope.nowMs);
  const message = `Deleting ${count} ${count === 1 ? 'Machine' : 'Machines'}${stale === '' ? '' : ` and ${stale}`}`;
  scope.deletion = { reason: kubeadmReasons.waitingForMachineDeletion, message };
  markResized(scope, '');
  return wait({ reason: kubeadmReasons.waitingForMachineDeletion, message });
}
