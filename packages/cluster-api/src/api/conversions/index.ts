import type { Conversion } from '../../conversion/index.js';
import { clusterConversion } from './cluster.js';
import { clusterClassConversion } from './cluster-class.js';
import {
  machineConversion,
  machineDeploymentConversion,
  machineDrainRuleConversion,
  machineHealthCheckConversion,
  machinePoolConversion,
  machineSetConversion,
} from './machines.js';
import {
  clusterResourceSetBindingConversion,
  clusterResourceSetConversion,
  extensionConfigConversion,
  ipAddressClaimConversions,
  ipAddressConversions,
} from './others.js';

export { conditionMoves, counterMoves, deletionTimeoutMoves, deprecatedCounterMoves, failureMoves } from './moves.js';

/** Conversions between every old version of this package's kinds and the storage version. */
export const clusterApiConversions: readonly Conversion[] = [
  clusterConversion,
  clusterClassConversion,
  machineConversion,
  machineSetConversion,
  machineDeploymentConversion,
  machinePoolConversion,
  machineHealthCheckConversion,
  machineDrainRuleConversion,
  clusterResourceSetConversion,
  clusterResourceSetBindingConversion,
  extensionConfigConversion,
  ...ipAddressConversions,
  ...ipAddressClaimConversions,
];
