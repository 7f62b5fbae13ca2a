import {
  at,
  contractRef,
  defineConversion,
  each,
  failureDomainList,
  inside,
  move,
  onlyOld,
  plainBoolean,
  structure,
} from '../../conversion/index.js';
import { cluster } from '../cluster.js';
import { conditionMoves, deletionTimeoutMoves, failureMoves, healthCheckMoves, strategyMoves } from './moves.js';

const variables = each(structure(onlyOld('definitionFrom')));

const healthCheck = inside('machineHealthCheck', 'healthCheck', [move('enable', 'enabled'), ...healthCheckMoves]);

const controlPlane = structure(deletionTimeoutMoves, healthCheck, at('variables.overrides', variables));

const machineDeployments = each(
  structure(
    deletionTimeoutMoves,
    healthCheck,
    strategyMoves,
    move('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
    at('variables.overrides', variables),
  ),
);

const machinePools = each(structure(deletionTimeoutMoves, at('variables.overrides', variables)));

const topology = structure(
  move('class', 'classRef.name'),
  move('classNamespace', 'classRef.namespace'),
  onlyOld('rolloutAfter'),
  at('controlPlane', controlPlane),
  at('workers.machineDeployments', machineDeployments),
  at('workers.machinePools', machinePools),
  at('variables', variables),
);

export const clusterConversion = defineConversion(
  cluster,
  'v1beta1',
  structure(
    at(
      'spec',
      structure(
        at('paused', plainBoolean),
        at('controlPlaneRef', contractRef),
        at('infrastructureRef', contractRef),
        at('topology', topology),
      ),
    ),
    at(
      'status',
      structure(
        conditionMoves,
        failureMoves,
        move('infrastructureReady', 'initialization.infrastructureProvisioned', plainBoolean),
        move('controlPlaneReady', 'initialization.controlPlaneInitialized', plainBoolean),
        move('v1beta2.controlPlane', 'controlPlane'),
        move('v1beta2.workers', 'workers'),
        at('failureDomains', failureDomainList),
      ),
    ),
  ),
);
