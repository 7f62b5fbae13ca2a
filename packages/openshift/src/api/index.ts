import type { Kind } from '@slipway/kube';
import { clusterOperator, clusterVersion, featureGate, infrastructure, network } from './config-kinds.js';
import { controlPlaneMachineSet, mapiMachine, mapiMachineSet } from './machine-kinds.js';
import { credentialsRequest, hostSubnet, prometheusRule, serviceMonitor } from './other-kinds.js';

export {
  type ClusterOperator,
  clusterOperators,
  type ClusterVersion,
  clusterVersions,
  type FeatureGate,
  featureGates,
  type Infrastructure,
  infrastructures,
} from './config-kinds.js';
export {
  type ControlPlaneMachineSet,
  controlPlaneMachineSets,
  type MapiMachine,
  mapiMachines,
  type MapiMachineSet,
  mapiMachineSets,
} from './machine-kinds.js';

/** OpenShift kinds that the operator uses. An OpenShift cluster already serves them. */
export const openShiftKinds: readonly Kind[] = [
  featureGate,
  infrastructure,
  clusterOperator,
  clusterVersion,
  network,
  hostSubnet,
  mapiMachine,
  mapiMachineSet,
  controlPlaneMachineSet,
  credentialsRequest,
  prometheusRule,
  serviceMonitor,
];
