import type { Frozen } from '@slipway/kube';
import type { NewCondition, Node } from '@slipway/runtime';
import { annotations, reasons } from '../api/index.js';
import { providerCondition, type ProviderState } from '../contract/index.js';
import {
  bootstrapCondition,
  countsAs,
  deletingCondition,
  isDeleting,
  machinesReadyCondition,
  type ObservedMachine,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
} from '../machines/index.js';
import { sumVersions } from '../version/index.js';
import type { ObservedPool } from './pool-scope.js';

export interface PoolCounters {
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly versions: { version: string; replicas: number }[] | undefined;
}

export interface PoolStatusInput {
  readonly pool: ObservedPool;
  readonly bootstrap: ProviderState;
  readonly infrastructure: ProviderState;
  /** Machines of the pool. Undefined if the provider has no machine objects. */
  readonly machines: readonly ObservedMachine[] | undefined;
  readonly nodes: readonly Frozen<Node>[];
  /** What the deletion of the pool waits for. */
  readonly blockedBy: string | undefined;
  readonly nowMs: number;
}

export function poolCounters({ pool, machines, nodes }: PoolStatusInput): PoolCounters {
  if (machines === undefined) {
    const replicas = pool.status?.replicas ?? 0;
    const versions = nodes.flatMap(({ status }) => versionOf(status?.nodeInfo?.kubeletVersion));
    return {
      readyReplicas: replicas,
      availableReplicas: replicas,
      upToDateReplicas: pool.spec.replicas ?? 0,
      versions: sumVersions(versions),
    };
  }
  return {
    readyReplicas: machines.filter((machine) => countsAs(machine, 'Ready')).length,
    availableReplicas: machines.filter((machine) => countsAs(machine, 'Available')).length,
    // The provider replaces outdated machines itself, so every machine that is not being deleted counts as up to date.
    upToDateReplicas: machines.filter((machine) => !isDeleting(machine)).length,
    versions: sumVersions(machines.flatMap(({ spec }) => versionOf(spec.version))),
  };
}

function versionOf(version: string | undefined): { version: string }[] {
  return version === undefined || version === '' ? [] : [{ version }];
}

/** Returns the conditions computed from the observed state. The pause check sets `Paused`. */
export function poolConditions(input: PoolStatusInput): NewCondition[] {
  const { pool, nowMs, blockedBy } = input;
  const deleting = isDeleting(pool);
  const machines = input.machines ?? [];
  const { replicas } = pool.spec;
  const scaling = {
    desired: replicas === undefined || !deleting ? replicas : 0,
    current: pool.status?.replicas ?? 0,
  };
  return [
    availableCondition(input),
    bootstrapCondition(pool, pool.spec.template.spec.bootstrap.configRef, input.bootstrap),
    infrastructureCondition(input),
    { type: 'RollingOut', status: 'False', reason: reasons.notRollingOut },
    scalingUpCondition(scaling, { blocked: '', wouldBeBlocked: '' }),
    scalingDownCondition(scaling, machines, nowMs),
    machinesReadyCondition(machines),
    remediatingCondition(machines),
    deletingCondition(deleting, blockedBy === undefined ? machines : [], nowMs, blockedBy),
  ];
}

function availableCondition(input: PoolStatusInput): NewCondition {
  const type = 'Available';
  const required = input.pool.spec.replicas;
  if (required === undefined) {
    const message = 'Waiting for spec.replicas set';
    return { type, status: 'Unknown', reason: reasons.waitingForReplicasSet, message };
  }
  const { availableReplicas: available } = poolCounters(input);
  if (available >= required && !isDeleting(input.pool)) return { type, status: 'True', reason: reasons.available };
  const message = isDeleting(input.pool)
    ? 'Deletion in progress'
    : `${available} available replicas, at least ${required} required`;
  return { type, status: 'False', reason: reasons.notAvailable, message };
}

function infrastructureCondition({ pool, infrastructure }: PoolStatusInput): NewCondition {
  return providerCondition({
    type: 'InfrastructureReady',
    source: 'Ready',
    kind: pool.spec.template.spec.infrastructureRef.kind,
    state: infrastructure,
    achieved: pool.status?.initialization?.infrastructureProvisioned === true,
    flagPath: 'status.ready',
    isDeleting: isDeleting(pool),
    needsIt: 'cluster',
  });
}

export type PoolPhase = NonNullable<NonNullable<ObservedPool['status']>['phase']>;

/** Returns the phase: the last step that the pool has reached. */
export function poolPhase(pool: ObservedPool): PoolPhase {
  const { status = {}, spec } = pool;
  if (isDeleting(pool)) return 'Deleting';
  const provisioned = status.initialization?.infrastructureProvisioned === true;
  const ready = status.deprecated?.v1beta1?.readyReplicas ?? 0;
  if (provisioned && spec.replicas !== undefined) return scalePhase(pool, spec.replicas, ready);
  if ((status.nodeRefs ?? []).length > 0) return 'Provisioned';
  if (status.initialization?.bootstrapDataSecretCreated === true && !provisioned) return 'Provisioning';
  return status.phase ?? 'Pending';
}

function scalePhase(pool: ObservedPool, desired: number, ready: number): PoolPhase {
  if (desired === ready) return 'Running';
  // An external autoscaler may change the replicas at any time, so that the scaling direction is unknown.
  if (isManagedElsewhere(pool)) return 'Scaling';
  return desired > ready ? 'ScalingUp' : 'ScalingDown';
}

/** Whether the infrastructure provider controls the replicas and writes their number into the pool. */
function isManagedElsewhere({ metadata }: ObservedPool): boolean {
  const value = metadata.annotations?.[annotations.replicasManagedBy];
  return value !== undefined && value !== 'false';
}
