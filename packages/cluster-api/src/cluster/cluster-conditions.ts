import { type Frozen, formatTime } from '@slipway/kube';
import {
  type Conditioned,
  hasCondition,
  isConditionTrue,
  isDeleting,
  isOwnedBy,
  type NewCondition,
} from '@slipway/runtime';
import { type ClusterClass, clusterReasons, reasons } from '../api/index.js';
import {
  contractOf,
  controlPlane,
  failureMessage,
  infrastructureCluster,
  providerCondition,
  providerConditions,
  type ProviderState,
} from '../contract/index.js';
import {
  isOwnerToRemediate,
  isUnhealthy,
  machinesAre,
  machinesReadyCondition,
  machinesUpToDateCondition,
  type ObservedMachine,
  upToDateDueMs,
} from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { aggregateCondition, type ClusterHealth, reasonByWorst } from '../toolkit/index.js';
import { type Descendants, isPoolMachine } from './descendants.js';

export interface ClusterConditionsInput {
  readonly cluster: ObservedCluster;
  readonly clusterClass: Frozen<ClusterClass> | undefined;
  readonly infrastructure: ProviderState;
  readonly controlPlane: ProviderState;
  readonly descendants: Descendants;
  readonly health: ClusterHealth;
  readonly remoteConnectionGraceMs: number;
  readonly deleting: { readonly reason: string; readonly message: string };
  readonly nowMs: number;
}

/** Returns all conditions except Available, which summarizes them. */
export function clusterConditions(input: ClusterConditionsInput): NewCondition[] {
  const { controlPlaneMachines, workerMachines } = input.descendants;
  const workers = workerMachines.filter((machine) => !isPoolMachine(machine));
  return [
    ...remoteConnectionProbe(input),
    infrastructureReady(input),
    ...controlPlaneAvailable(input),
    ...controlPlaneInitialized(input),
    workersAvailable(input),
    { ...machinesReadyCondition(controlPlaneMachines), type: 'ControlPlaneMachinesReady' },
    { ...machinesReadyCondition(workers), type: 'WorkerMachinesReady' },
    { ...machinesUpToDateCondition(controlPlaneMachines, input.nowMs), type: 'ControlPlaneMachinesUpToDate' },
    { ...machinesUpToDateCondition(workers, input.nowMs), type: 'WorkerMachinesUpToDate' },
    scaling(input, 'RollingOut', [reasons.rollingOut, reasons.rollingOutUnknown, reasons.notRollingOut]),
    scaling(input, 'ScalingUp', [reasons.scalingUp, reasons.scalingUpUnknown, reasons.notScalingUp]),
    scaling(input, 'ScalingDown', [reasons.scalingDown, reasons.scalingDownUnknown, reasons.notScalingDown]),
    remediating([...controlPlaneMachines, ...workers]),
    deleting(input),
  ];
}

/** Number of failed probes before a first connection is reported as failed. */
const failuresMin = 5;

function remoteConnectionProbe({
  cluster,
  health,
  remoteConnectionGraceMs,
  nowMs,
}: ClusterConditionsInput): NewCondition[] {
  const type = 'RemoteConnectionProbe';
  const { lastProbeSuccessAt, consecutiveFailures, lastError } = health;
  const failed = (message: string): NewCondition[] => [
    { type, status: 'False', reason: clusterReasons.probeFailed, message },
  ];
  const why = lastError === undefined ? '' : `: ${lastError}`;
  if (lastProbeSuccessAt === undefined && consecutiveFailures < failuresMin)
    return hasCondition(cluster, type) ? [] : failed('Remote connection not established yet');
  if (lastProbeSuccessAt === undefined) return failed(`Remote connection probe failed${why}`);
  if (nowMs - lastProbeSuccessAt > remoteConnectionGraceMs)
    return failed(`Remote connection probe failed, probe last succeeded at ${formatTime(lastProbeSuccessAt)}${why}`);
  return [{ type, status: 'True', reason: clusterReasons.probeSucceeded }];
}

/** Returns the time until a condition changes without an event, in milliseconds. */
export function clusterDueMs(input: ClusterConditionsInput): number | undefined {
  const { controlPlaneMachines, workerMachines } = input.descendants;
  const workers = workerMachines.filter((machine) => !isPoolMachine(machine));
  const times = [remoteConnectionDueMs(input), upToDateDueMs([...controlPlaneMachines, ...workers], input.nowMs)];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function remoteConnectionDueMs(input: ClusterConditionsInput): number | undefined {
  const { health, remoteConnectionGraceMs, nowMs } = input;
  if (health.connected || health.lastProbeSuccessAt === undefined) return undefined;
  const due = health.lastProbeSuccessAt + remoteConnectionGraceMs - nowMs;
  return due >= 0 ? due + 1 : undefined;
}

function waitingForTopology(cluster: ObservedCluster): string {
  return isDeleting(cluster) ? '' : 'Waiting for cluster topology to be reconciled';
}

function infrastructureReady({ cluster, infrastructure }: ClusterConditionsInput): NewCondition {
  const type = 'InfrastructureReady';
  const { infrastructureRef, topology } = cluster.spec;
  if (infrastructureRef === undefined && topology !== undefined)
    return { type, status: 'False', reason: reasons.objectDoesNotExist, message: waitingForTopology(cluster) };
  // Without an infrastructure reference there is nothing to wait for.
  if (infrastructureRef === undefined) return { type, status: 'True', reason: reasons.ready };
  return providerCondition({
    type,
    source: 'Ready',
    kind: infrastructureRef.kind,
    state: infrastructure,
    achieved: cluster.status?.initialization?.infrastructureProvisioned === true,
    flagPath: infrastructureCluster.provisionedPath(contractOf(infrastructure)),
    isDeleting: isDeleting(cluster),
    needsIt: 'cluster',
  });
}

function controlPlaneAvailable(input: ClusterConditionsInput): NewCondition[] {
  const { cluster } = input;
  const type = 'ControlPlaneAvailable';
  const { controlPlaneRef, topology } = cluster.spec;
  if (controlPlaneRef === undefined && topology !== undefined)
    return [{ type, status: 'False', reason: reasons.objectDoesNotExist, message: waitingForTopology(cluster) }];
  if (controlPlaneRef === undefined) return [ownControlPlaneAvailable(input)];
  return [
    providerCondition({
      type,
      source: 'Available',
      kind: controlPlaneRef.kind,
      state: input.controlPlane,
      achieved: cluster.status?.initialization?.controlPlaneInitialized === true,
      flagPath: controlPlane.initializedPath(contractOf(input.controlPlane)),
      isDeleting: isDeleting(cluster),
      needsIt: 'cluster',
    }),
  ];
}

/**
 * Returns the ControlPlaneAvailable condition of stand-alone control plane machines, which have no object that summarizes them.
 * One available machine is enough.
 */
function ownControlPlaneAvailable({ descendants }: ClusterConditionsInput): NewCondition {
  const type = 'ControlPlaneAvailable';
  const machines = descendants.controlPlaneMachines;
  if (machines.some((machine) => isConditionTrue(machine, 'Available')))
    return { type, status: 'True', reason: reasons.available };
  const message =
    machines.length === 0 ? 'There is no control plane Machine' : 'None of the control plane Machines is available';
  return { type, status: 'False', reason: reasons.notAvailable, message };
}

/** Returns the ControlPlaneInitialized condition, which never changes once it is True. */
function controlPlaneInitialized(input: ClusterConditionsInput): NewCondition[] {
  const { cluster } = input;
  const type = 'ControlPlaneInitialized';
  if (isConditionTrue(cluster, type)) return [];
  const initialized: NewCondition = { type, status: 'True', reason: clusterReasons.initialized };
  const not = (message: string): NewCondition[] => [
    { type, status: 'False', reason: clusterReasons.notInitialized, message },
  ];
  const unknown = (reason: string, message: string): NewCondition[] => [{ type, status: 'Unknown', reason, message }];
  const { controlPlaneRef, topology } = cluster.spec;
  if (controlPlaneRef === undefined && topology !== undefined)
    return unknown(reasons.objectDoesNotExist, waitingForTopology(cluster));
  if (controlPlaneRef === undefined) {
    if (input.descendants.controlPlaneMachines.some((machine) => machine.status?.nodeRef !== undefined))
      return [initialized];
    return not('Waiting for the first control plane machine to have status.nodeRef set');
  }
  const state = input.controlPlane;
  if (state.type === 'failed') return unknown(reasons.internalError, failureMessage(state.error));
  if (state.type === 'missing') return unknown(reasons.objectDoesNotExist, `${controlPlaneRef.kind} does not exist`);
  const isInitialized = controlPlane.read(state.object, state.kind.contract).initialized;
  return isInitialized ? [initialized] : not('Control plane not yet initialized');
}

function workersAvailable({ descendants }: ClusterConditionsInput): NewCondition {
  const { deployments } = descendants;
  const type = 'WorkersAvailable';
  if (deployments.length === 0) return { type, status: 'True', reason: clusterReasons.noWorkers };
  return aggregateCondition(deployments, 'Available', {
    targetType: type,
    strategy: { reasonOf: reasonByWorst(reasons.notAvailable, reasons.availableUnknown, reasons.available) },
  });
}

/** Aggregates RollingOut, ScalingUp or ScalingDown over the workers and, if it reports the condition, the control plane. */
function scaling(
  input: ClusterConditionsInput,
  type: 'RollingOut' | 'ScalingUp' | 'ScalingDown',
  [issue, unknown, good]: readonly [string, string, string],
): NewCondition {
  const { cluster, descendants } = input;
  const state = input.controlPlane;
  if (cluster.spec.controlPlaneRef !== undefined && state.type === 'failed')
    return { type, status: 'Unknown', reason: reasons.internalError, message: failureMessage(state.error) };
  const alone = descendants.sets.filter((set) => isOwnedBy(set, cluster));
  const objects: Conditioned[] = [
    ...conditionedControlPlane(state, type),
    ...descendants.deployments,
    ...(type === 'RollingOut' ? [] : alone),
  ];
  if (objects.length === 0) return { type, status: 'False', reason: good };
  return aggregateCondition(objects, type, {
    negative: true,
    strategy: { reasonOf: reasonByWorst(issue, unknown, good) },
  });
}

function conditionedControlPlane(state: ProviderState, type: string): Conditioned[] {
  if (state.type !== 'found') return [];
  const { kind, metadata } = state.object;
  try {
    const object: Conditioned = { kind, metadata, status: { conditions: providerConditions(state.object) } };
    return hasCondition(object, type) ? [object] : [];
  } catch {
    // Report no error here: ControlPlaneAvailable already reports invalid conditions.
    return [];
  }
}

function remediating(machines: readonly ObservedMachine[]): NewCondition {
  const type = 'Remediating';
  const remediated = machines.filter(isOwnerToRemediate);
  if (remediated.length === 0) {
    const unhealthy = machines.filter(isUnhealthy);
    const message = unhealthy.length === 0 ? '' : `${machinesAre(unhealthy)} not healthy (not to be remediated)`;
    return { type, status: 'False', reason: reasons.notRemediating, message };
  }
  const { message } = aggregateCondition(remediated, 'OwnerRemediated');
  return { type, status: 'True', reason: reasons.remediating, message: message ?? '' };
}

function deleting({ cluster, deleting: report }: ClusterConditionsInput): NewCondition {
  if (!isDeleting(cluster)) return { type: 'Deleting', status: 'False', reason: reasons.notDeleting };
  return { type: 'Deleting', status: 'True', ...report };
}
