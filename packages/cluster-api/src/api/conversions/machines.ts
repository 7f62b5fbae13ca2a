import {
  at,
  type Codec,
  contractRef,
  defineConversion,
  move,
  nodeRef,
  onlyNew,
  onlyOld,
  plainBoolean,
  structure,
} from '../../conversion/index.js';
import { machine } from '../machine.js';
import { machineDeployment } from '../machine-deployment.js';
import { machineDrainRule } from '../machine-drain-rule.js';
import { machineHealthCheck } from '../machine-health-check.js';
import { machinePool } from '../machine-pool.js';
import { machineSet } from '../machine-set.js';
import {
  conditionMoves,
  counterMoves,
  deletionTimeoutMoves,
  deprecatedCounterMoves,
  failureMoves,
  healthCheckMoves,
  machineInitializationMoves,
  strategyMoves,
} from './moves.js';

const machineSpec = structure(
  at('bootstrap.configRef', contractRef),
  at('infrastructureRef', contractRef),
  deletionTimeoutMoves,
  onlyNew('minReadySeconds'),
);

// v1beta1 has no phase for in-place updates: its clients see such a machine as Running.
const machinePhase: Codec = {
  up: (phase) => phase,
  down: (phase) => (phase === 'Updating' ? 'Running' : phase),
};

export const machineConversion = defineConversion(
  machine,
  'v1beta1',
  structure(
    at('spec', machineSpec),
    at(
      'status',
      structure(
        conditionMoves,
        failureMoves,
        machineInitializationMoves,
        at('nodeRef', nodeRef),
        at('phase', machinePhase),
        onlyNew('failureDomain'),
      ),
    ),
  ),
);

const machineTemplate = [
  at('template.spec', machineSpec),
  move('minReadySeconds', 'template.spec.minReadySeconds'),
] as const;

const machineNaming = move('machineNamingStrategy', 'machineNaming');

export const machineSetConversion = defineConversion(
  machineSet,
  'v1beta1',
  structure(
    at('spec', structure(machineTemplate, machineNaming, move('deletePolicy', 'deletion.order'))),
    at(
      'status',
      structure(
        conditionMoves,
        failureMoves,
        counterMoves,
        deprecatedCounterMoves('readyReplicas', 'availableReplicas', 'fullyLabeledReplicas'),
      ),
    ),
  ),
);

export const machineDeploymentConversion = defineConversion(
  machineDeployment,
  'v1beta1',
  structure(
    at(
      'spec',
      structure(
        at('paused', plainBoolean),
        machineTemplate,
        machineNaming,
        strategyMoves,
        move('strategy.remediation.maxInFlight', 'remediation.maxInFlight'),
        move('rolloutAfter', 'rollout.after'),
        onlyOld('progressDeadlineSeconds', 'revisionHistoryLimit'),
      ),
    ),
    at(
      'status',
      structure(
        conditionMoves,
        counterMoves,
        deprecatedCounterMoves('readyReplicas', 'availableReplicas', 'unavailableReplicas', 'updatedReplicas'),
      ),
    ),
  ),
);

export const machinePoolConversion = defineConversion(
  machinePool,
  'v1beta1',
  structure(
    at('spec', structure(machineTemplate)),
    at(
      'status',
      structure(
        conditionMoves,
        failureMoves,
        counterMoves,
        machineInitializationMoves,
        deprecatedCounterMoves('readyReplicas', 'availableReplicas', 'unavailableReplicas'),
      ),
    ),
  ),
);

export const machineHealthCheckConversion = defineConversion(
  machineHealthCheck,
  'v1beta1',
  structure(at('spec', structure(healthCheckMoves)), at('status', structure(conditionMoves))),
);

export const machineDrainRuleConversion = defineConversion(machineDrainRule, 'v1beta1', structure());
