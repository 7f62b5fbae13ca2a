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
import { removeHook } from './apply-decision.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import { inspectControlPlane } from './inspect-control-plane.js';
import { controlPlaneMachines } from './observe-machines.js';

/**
 * Deletes a control plane, after everything that needs it. Its machines go all at once, undrained and without taking leave of
 * etcd: there is nobody left to serve.
 */
export async function deleteControlPlane(pass: ControlPlanePass): Promise<Outcome> {
  if (pass.machines.length === 0) return finish(pass);
  try {
    await inspectControlPlane(pass);
  } catch (error) {
    // A cluster that cannot be reached is deleted all the same.
    pass.context.logger.info({ err: error }, 'Conditions of a control plane in deletion were not refreshed');
  }
  const blockers = await blockingObjects(pass);
  if (blockers.length > 0) return waitForWorkers(pass, blockers);
  await deleteMachines(pass);
  return waitForMachines(pass);
}

function finish(pass: ControlPlanePass): Outcome {
  pass.deletion = { reason: reasons.deletionCompleted, message: 'Deletion completed' };
  pass.update(({ metadata }) => removeFinalizer(metadata, kubeadmFinalizers.kubeadmControlPlane));
  return done();
}

/** Workers cannot be drained without an API server, so they go first. */
async function blockingObjects(pass: ControlPlanePass): Promise<string[]> {
  const { sources } = pass.context;
  const { namespace, name } = pass.clusterKey;
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

function waitForWorkers(pass: ControlPlanePass, blockers: readonly string[]): Outcome {
  const lines = blockers.map((line) => `* ${line}`).join('\n');
  const message = `KubeadmControlPlane deletion blocked because following objects still exist:\n${lines}`;
  pass.deletion = { reason: kubeadmReasons.waitingForWorkersDeletion, message };
  markResized(pass, 'Waiting for worker nodes to be deleted first');
  return wait({ ms: workersRetryMs, reason: kubeadmReasons.waitingForWorkersDeletion, message });
}

function markResized(pass: ControlPlanePass, message: string): void {
  const state = { type: 'Resized', status: 'False', reason: 'Deleting', severity: 'Info' } as const;
  pass.mark({ ...state, ...(message !== '' && { message }) });
}

async function deleteMachines(pass: ControlPlanePass): Promise<void> {
  const failures = (await Promise.all(pass.observedMachines.map((machine) => deleteOne(pass, machine)))).filter(
    (failure) => failure !== undefined,
  );
  if (failures.length === 0) return;
  const error = failures.length === 1 ? failures[0] : new AggregateError(failures, failures.map(String).join('; '));
  const cluster = `${pass.clusterKey.namespace}/${pass.clusterKey.name}`;
  const message = `Failed to delete control plane Machines for cluster ${cluster} control plane: ${String(error)}`;
  pass.context.events.record(pass.original, { type: 'Warning', reason: 'FailedDelete', action: 'Delete', message });
  pass.deletion = { reason: reasons.internalError, message: internalErrorMessage };
  throw error as Error;
}

async function deleteOne(pass: ControlPlanePass, machine: ObservedMachine): Promise<Error | undefined> {
  const { client, signal } = pass.context;
  try {
    await removeHook(pass, machine);
    if (isDeleting(machine)) return undefined;
    await client.delete(machines, { namespace: pass.clusterKey.namespace, name: nameOf(machine) }, { signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) return error instanceof Error ? error : new Error(String(error));
  }
  return undefined;
}

function waitForMachines(pass: ControlPlanePass): Outcome {
  const left = controlPlaneMachines(pass.context, pass.cluster);
  const count = pass.machines.length;
  const stale = staleMachinesMessage(left, pass.nowMs);
  const message = `Deleting ${count} ${count === 1 ? 'Machine' : 'Machines'}${stale === '' ? '' : ` and ${stale}`}`;
  pass.deletion = { reason: kubeadmReasons.waitingForMachineDeletion, message };
  markResized(pass, '');
  return wait({ reason: kubeadmReasons.waitingForMachineDeletion, message });
}
