import type { Frozen, KubeObject } from '@slipway/kube';
import { type NewCondition, ReconcileError } from '@slipway/runtime';
import { reasons, topologyReasons } from '../api/index.js';
import { pendingHooksOf } from '../runtime-extensions/index.js';
import { type ConditionSeverity, isPaused, pausedCondition } from '../toolkit/index.js';
import type { ObservedCluster } from './topology-state.js';
import { blockingMessage, type HookAnswers, retryAfterSeconds } from './upgrade/lifecycle-hook.js';
import { isAnyOnTheWay, type UpgradeState, type WorkersUpgrade } from './upgrade/upgrade-tracker.js';

export const topologyReconciledCondition = 'TopologyReconciled';

export interface TopologyOutcome {
  readonly cluster: ObservedCluster;
  readonly error?: Error;
  readonly answers: HookAnswers;
  /** The upgrade state. Undefined if the reconcile failed before it was computed. */
  readonly upgrade?: UpgradeState;
  /** Kind and version of the desired control plane. */
  readonly controlPlane?: { readonly kind: string; readonly version: string };
}

/** The condition in the v1beta2 style and, where it differs, in the v1beta1 style. */
export interface TopologyCondition extends NewCondition {
  readonly message: string;
  readonly oldReason?: string;
  readonly severity: ConditionSeverity;
}

export const classNotReconciled =
  'ClusterClass not reconciled. If this condition persists please check ClusterClass status. A ClusterClass is reconciled if' +
  '.status.observedGeneration == .metadata.generation is true. If this is not the case either ClusterClass reconciliation failed or the ClusterClass is paused';

/** Returns the TopologyReconciled condition: whether all objects match the topology, or what they wait for. */
export function topologyCondition(outcome: TopologyOutcome): TopologyCondition {
  const { cluster, error, answers } = outcome;
  if (isPaused(cluster as Frozen<KubeObject>, cluster)) {
    const { message = '' } = pausedCondition(cluster as Frozen<KubeObject>, cluster);
    return notReconciled(reasons.paused, message);
  }
  if (error instanceof ReconcileError && error.reason === topologyReasons.clusterClassNotReconciled) {
    // Not a failure: when the ClusterClass is ready, it triggers a reconcile.
    return notReconciled(topologyReasons.clusterClassNotReconciled, error.message);
  }
  if (error !== undefined) {
    return {
      ...notReconciled(topologyReasons.reconcileFailed, error.message),
      oldReason: 'TopologyReconcileFailed',
      severity: 'Error',
    };
  }
  if (typeof cluster.metadata.deletionTimestamp === 'string') {
    const blocked = blockingMessage(answers, 'delete');
    return notReconciled(reasons.deleting, blocked === '' ? 'Cluster is deleting' : `Cluster is deleting. ${blocked}`);
  }
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const isNew = infrastructureRef === undefined && controlPlaneRef === undefined;
  if (isNew && retryAfterSeconds(answers) !== 0) {
    return notReconciled(topologyReasons.clusterCreating, blockingMessage(answers, 'Cluster topology creation'));
  }
  if (!isNew && isUpgrading(outcome)) return upgradingCondition(outcome);
  return {
    type: topologyReconciledCondition,
    status: 'True',
    reason: topologyReasons.reconcileSucceeded,
    message: '',
    severity: 'Info',
  };
}

function notReconciled(reason: string, message: string): TopologyCondition {
  return { type: topologyReconciledCondition, status: 'False', reason, message, severity: 'Info' };
}

function isUpgrading({ cluster, upgrade }: TopologyOutcome): boolean {
  if (pendingHooksOf(cluster).has('AfterClusterUpgrade')) return true;
  if (upgrade === undefined) return false;
  const { isPendingUpgrade, isStartingUpgrade, isUpgrading: isUnderWay } = upgrade.controlPlane;
  return (
    isPendingUpgrade ||
    isStartingUpgrade ||
    isUnderWay ||
    isAnyOnTheWay(upgrade.machineDeployments) ||
    isAnyOnTheWay(upgrade.machinePools)
  );
}

function upgradingCondition(outcome: TopologyOutcome): TopologyCondition {
  const { cluster, answers, upgrade, controlPlane = { kind: 'ControlPlane', version: '' } } = outcome;
  const lines = [`Cluster is upgrading to ${cluster.spec.topology?.version ?? ''}`];
  const blocked = blockingMessage(answers, 'upgrade');
  if (blocked !== '') lines.push(blocked);
  if (upgrade === undefined) return notReconciled(topologyReasons.clusterUpgrading, lines.join('\n  * '));
  const { version } = controlPlane;
  const isControlPlaneMoving = upgrade.controlPlane.isStartingUpgrade || upgrade.controlPlane.isUpgrading;
  if (isControlPlaneMoving) {
    lines.push(
      `${controlPlane.kind} upgrading to version ${version}${pendingVersions(upgrade.controlPlanePlan, version)}`,
    );
  } else if (upgrade.controlPlanePlan.length > 0) {
    lines.push(`${controlPlane.kind} pending upgrade to version ${upgrade.controlPlanePlan.join(', ')}`);
  }
  const deployments = workerLines('MachineDeployment', upgrade.machineDeployments, version);
  const pools = workerLines('MachinePool', upgrade.machinePools, version);
  lines.push(...deployments.lines, ...pools.lines);
  const isMoving = blocked !== '' || isControlPlaneMoving;
  const reason = isMoving ? undefined : deployments.isHeldUp ? 'deployments' : pools.isHeldUp ? 'pools' : undefined;
  const found = {
    deployments: topologyReasons.machineDeploymentsUpgradeDeferred,
    pools: topologyReasons.machinePoolsUpgradeDeferred,
  } as const;
  return notReconciled(reason === undefined ? topologyReasons.clusterUpgrading : found[reason], lines.join('\n  * '));
}

/** Describes the upgrade state of workers of one kind. Reported as deferred if only annotations hold them back. */
function workerLines(
  kind: 'MachineDeployment' | 'MachinePool',
  { plan, upgrading, pending, deferred, pendingCreate }: WorkersUpgrade,
  version: string,
): { readonly lines: readonly string[]; readonly isHeldUp: boolean } {
  const held = [...deferred].filter((name) => !upgrading.has(name));
  const waiting = [...pending].filter((name) => !upgrading.has(name) && !deferred.has(name));
  const lines: string[] = [];
  if (upgrading.size > 0) {
    lines.push(`${nameList(kind, [...upgrading])} upgrading to version ${version}${pendingVersions(plan, version)}`);
  }
  if (waiting.length > 0 && plan.length > 0) {
    lines.push(`${nameList(kind, waiting)} pending upgrade to version ${plan.join(', ')}`);
  }
  if (held.length > 0) {
    const defer = kind === 'MachinePool' ? 'topology.cluster.x-k8s.io/defer-upgrade' : 'defer-upgrade';
    const how = `deferred using ${defer} or hold-upgrade-sequence annotations`;
    lines.push(`${nameList(kind, held)} upgrade to version ${version} ${how}`);
  }
  if (pendingCreate.size > 0) {
    lines.push(`${nameList(kind, [...pendingCreate])} creation deferred while control plane upgrade is in progress`);
  }
  return { lines, isHeldUp: held.length > 0 && upgrading.size === 0 && waiting.length === 0 };
}

function pendingVersions(plan: readonly string[], version: string): string {
  const others = plan.filter((step) => step !== version);
  return others.length === 0 ? '' : ` (${others.join(', ')} pending)`;
}

const namesShown = 3;

function nameList(kind: string, names: readonly string[]): string {
  const sorted = [...names].sort();
  if (sorted.length === 1) return `${kind} ${sorted[0] ?? ''}`;
  const shown = sorted.slice(0, namesShown).join(', ');
  const more = sorted.length - namesShown;
  return `${kind}s ${shown}${more > 0 ? `, ... (${more} more)` : ''}`;
}
