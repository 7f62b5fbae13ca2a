import {
  at,
  defineConversion,
  each,
  inside,
  move,
  type Move,
  plainBoolean,
  structure,
  templateRef,
} from '../../conversion/index.js';
import { clusterClass } from '../cluster-class.js';
import { conditionMoves, deletionTimeoutMoves, healthCheckMoves, strategyMoves } from './moves.js';

const healthCheck = inside('machineHealthCheck', 'healthCheck', healthCheckMoves);

const naming = move('namingStrategy', 'naming');

const workerTemplate: readonly Move[] = [
  move('template.metadata', 'metadata'),
  move('template.bootstrap.ref', 'bootstrap.templateRef', templateRef),
  move('template.infrastructure.ref', 'infrastructure.templateRef', templateRef),
];

const machineDeployments = each(
  structure(
    workerTemplate,
    naming,
    deletionTimeoutMoves,
    healthCheck,
    strategyMoves,
    move('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
  ),
);

const machinePools = each(structure(workerTemplate, naming, deletionTimeoutMoves));

const matchResources = structure(
  at('selector.matchResources.controlPlane', plainBoolean),
  at('selector.matchResources.infrastructureCluster', plainBoolean),
);

const patches = each(
  structure(
    at('definitions', each(matchResources)),
    move('external.generateExtension', 'external.generatePatchesExtension'),
    move('external.validateExtension', 'external.validateTopologyExtension'),
  ),
);

const variableMetadata = each(structure(move('metadata', 'deprecatedV1Beta1Metadata')));

export const clusterClassConversion = defineConversion(
  clusterClass,
  'v1beta1',
  structure(
    at(
      'spec',
      structure(
        move('infrastructure.ref', 'infrastructure.templateRef', templateRef),
        move('infrastructureNamingStrategy', 'infrastructure.naming'),
        move('controlPlane.ref', 'controlPlane.templateRef', templateRef),
        move('controlPlane.machineInfrastructure.ref', 'controlPlane.machineInfrastructure.templateRef', templateRef),
        inside('controlPlane', 'controlPlane', [naming, ...deletionTimeoutMoves, ...healthCheck]),
        at('workers.machineDeployments', machineDeployments),
        at('workers.machinePools', machinePools),
        at('patches', patches),
        at('variables', variableMetadata),
      ),
    ),
    at(
      'status',
      structure(
        conditionMoves,
        at('variables', each(structure(at('definitions', variableMetadata), at('definitionsConflict', plainBoolean)))),
      ),
    ),
  ),
);
