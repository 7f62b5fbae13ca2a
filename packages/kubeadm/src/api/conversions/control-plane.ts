import {
  at,
  type Codec,
  conditionMoves,
  contractRef,
  counterMoves,
  deletionTimeoutMoves,
  deprecatedCounterMoves,
  durationSeconds,
  failureMoves,
  inside,
  isObject,
  move,
  type Move,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import { kubeadmConfigSpec } from './kubeadm-config-spec.js';

/** The fields that a control plane and its template share. */
const specMoves: readonly Move[] = [
  at('kubeadmConfigSpec', kubeadmConfigSpec),
  move('machineNamingStrategy', 'machineNaming'),
  move('rolloutBefore', 'rollout.before'),
  move('rolloutAfter', 'rollout.after'),
  move('rolloutStrategy', 'rollout.strategy'),
  move('remediationStrategy.maxRetry', 'remediation.maxRetry'),
  move('remediationStrategy.retryPeriod', 'remediation.retryPeriodSeconds', durationSeconds),
  move('remediationStrategy.minHealthyPeriod', 'remediation.minHealthyPeriodSeconds', durationSeconds),
  ...inside('machineTemplate', 'machineTemplate.spec', [
    ...deletionTimeoutMoves,
    move('readinessGates', 'readinessGates'),
    move('taints', 'taints'),
    move('infrastructureRef', 'infrastructureRef', contractRef),
  ]),
];

export const controlPlaneSpec: Codec = structure(specMoves);

const statusFields = structure(
  conditionMoves,
  failureMoves,
  counterMoves,
  deprecatedCounterMoves('readyReplicas', 'updatedReplicas', 'unavailableReplicas'),
  move('initialized', 'initialization.controlPlaneInitialized', plainBoolean),
  move('lastRemediation.timestamp', 'lastRemediation.time'),
);

/** Converts the status. `ready` means that at least one API server responds. The new version derives this from the counters. */
export const controlPlaneStatus: Codec = {
  up: (value, context) => {
    if (isObject(value)) delete value['ready'];
    return statusFields.up(value, context);
  },
  down: (value, context) => {
    const status = statusFields.down(value, context);
    if (isObject(status)) status['ready'] = Number(status['readyReplicas'] ?? 0) > 0;
    return status;
  },
};
