import type { Kind } from '@slipway/kube';
import { clusterOperator, clusterVersion, featureGate, infrastructure, network } from './config-kinds.js';
import { controlPlaneMachineSet, mapiMachine, mapiMachineSet } from './machine-kinds.js';
import { credentialsRequest, hostSubnet, prometheusRule, serviceMonitor } from './other-kinds.js';

export * from './config-kinds.js';
export * from './machine-kinds.js';
export * from './other-kinds.js';

/** OpenShift's own kinds, as far as they are used: what a cluster of its has before we come. */
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
