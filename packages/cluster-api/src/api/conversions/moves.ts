import {
  durationSeconds,
  each,
  move,
  type Move,
  plainBoolean,
  structure,
  templateRef,
} from '../../conversion/index.js';

/** Conditions of both styles, v1beta1 and v1beta2, exist in both API versions. One style is never converted into the other. */
export const conditionMoves: readonly Move[] = [
  move('conditions', 'deprecated.v1beta1.conditions'),
  move('v1beta2.conditions', 'conditions'),
];

export const failureMoves: readonly Move[] = [
  move('failureReason', 'deprecated.v1beta1.failureReason'),
  move('failureMessage', 'deprecated.v1beta1.failureMessage'),
];

/** Counters based on machine conditions. The v1beta1 counters of the same name count Nodes. */
export const counterMoves: readonly Move[] = [
  move('v1beta2.readyReplicas', 'readyReplicas'),
  move('v1beta2.availableReplicas', 'availableReplicas'),
  move('v1beta2.upToDateReplicas', 'upToDateReplicas'),
];

export function deprecatedCounterMoves(...names: readonly string[]): Move[] {
  return names.map((name) => move(name, `deprecated.v1beta1.${name}`));
}

export const machineInitializationMoves: readonly Move[] = [
  move('bootstrapReady', 'initialization.bootstrapDataSecretCreated', plainBoolean),
  move('infrastructureReady', 'initialization.infrastructureProvisioned', plainBoolean),
];

export const deletionTimeoutMoves: readonly Move[] = [
  move('nodeDrainTimeout', 'deletion.nodeDrainTimeoutSeconds', durationSeconds),
  move('nodeVolumeDetachTimeout', 'deletion.nodeVolumeDetachTimeoutSeconds', durationSeconds),
  move('nodeDeletionTimeout', 'deletion.nodeDeletionTimeoutSeconds', durationSeconds),
];

const unhealthyConditions = each(structure(move('timeout', 'timeoutSeconds', durationSeconds)));

/** Fields of a health check. MachineHealthChecks, ClusterClasses and topologies share them. */
export const healthCheckMoves: readonly Move[] = [
  move('nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds', durationSeconds),
  move('unhealthyConditions', 'checks.unhealthyNodeConditions', unhealthyConditions),
  move('unhealthyMachineConditions', 'checks.unhealthyMachineConditions', unhealthyConditions),
  move('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo'),
  move('unhealthyRange', 'remediation.triggerIf.unhealthyInRange'),
  move('remediationTemplate', 'remediation.templateRef', templateRef),
];

/** The rollout strategy of a MachineDeployment. Excludes remediation, whose path differs between kinds. */
export const strategyMoves: readonly Move[] = [
  move('strategy.type', 'rollout.strategy.type'),
  move('strategy.rollingUpdate.maxSurge', 'rollout.strategy.rollingUpdate.maxSurge'),
  move('strategy.rollingUpdate.maxUnavailable', 'rollout.strategy.rollingUpdate.maxUnavailable'),
  move('strategy.rollingUpdate.deletePolicy', 'deletion.order'),
];
