import { edit, isDeleting, type Summaries, withConditions } from '@slipway/runtime';
import type { Cluster } from '../api/index.js';
import { isValidEndpoint } from '../contract/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { isPaused, pausedCondition, setV1beta1Summary, type V1beta1Target } from '../toolkit/index.js';
import { availableCondition } from './cluster-available.js';
import { clusterConditions, type ClusterConditionsInput } from './cluster-conditions.js';
import { controlPlaneCounters, workerCounters } from './cluster-counters.js';

/** The conditions owned by this controller. */
export const ownedConditions: readonly string[] = [
  'Paused',
  'Ready',
  'ControlPlaneReady',
  'InfrastructureReady',
  'ControlPlaneAvailable',
  'ControlPlaneInitialized',
  'ControlPlaneMachinesReady',
  'ControlPlaneMachinesUpToDate',
  'WorkersAvailable',
  'WorkerMachinesReady',
  'WorkerMachinesUpToDate',
  'RemoteConnectionProbe',
  'RollingOut',
  'ScalingUp',
  'ScalingDown',
  'Remediating',
  'Deleting',
  'Available',
];

/** The parts of the status that sum up machines. Each step of a machine changes them. */
export const summaries: Summaries = {
  conditions: [
    'ControlPlaneMachinesReady',
    'ControlPlaneMachinesUpToDate',
    'WorkerMachinesReady',
    'WorkerMachinesUpToDate',
    'RollingOut',
    'ScalingUp',
    'ScalingDown',
    'Remediating',
  ],
  messages: ['Available', 'ControlPlaneAvailable', 'WorkersAvailable', 'Ready', 'ControlPlaneReady'],
  fields: ['controlPlane', 'workers'],
};

/** Returns the Cluster with its new status: counters, conditions, phase, and the deprecated summary. */
export function clusterStatus(input: ClusterConditionsInput): ObservedCluster {
  const { nowMs, descendants } = input;
  const paused = isPaused(input.cluster, input.cluster) ? [] : [pausedCondition(input.cluster, input.cluster)];
  let cluster = withConditions(input.cluster, [...clusterConditions(input), ...paused], nowMs);
  cluster = withConditions(cluster, [availableCondition(cluster, input.clusterClass)], nowMs);
  return edit(cluster, (draft) => {
    draft.status ??= {};
    draft.status.phase = clusterPhase(cluster);
    draft.status.controlPlane = controlPlaneCounters(cluster, input.controlPlane, descendants.controlPlaneMachines);
    draft.status.workers = workerCounters(cluster, descendants);
    setV1beta1Summary(draft as V1beta1Target, { types: ['ControlPlaneReady', 'InfrastructureReady'] }, nowMs);
  });
}

type Phase = NonNullable<NonNullable<Cluster['status']>['phase']>;

/** Returns the phase of the cluster. */
export function clusterPhase(cluster: ObservedCluster): Phase {
  const { infrastructureRef, controlPlaneRef, controlPlaneEndpoint } = cluster.spec;
  const { initialization, phase } = cluster.status ?? {};
  if (isDeleting(cluster)) return 'Deleting';
  if (initialization?.infrastructureProvisioned === true && isValidEndpoint(controlPlaneEndpoint)) return 'Provisioned';
  if (infrastructureRef !== undefined || controlPlaneRef !== undefined) return 'Provisioning';
  return phase ?? 'Pending';
}
