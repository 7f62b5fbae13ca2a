/** Types of conditions, in the order in which a list of them is kept; those not named here stand before the last two. */
export const conditionOrder = [
  'Available',
  'Ready',
  'UpToDate',
  'RemoteConnectionProbe',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'ControlPlaneInitialized',
  'ControlPlaneAvailable',
  'WorkersAvailable',
  'CertificatesAvailable',
  'Initialized',
  'EtcdClusterHealthy',
  'ControlPlaneComponentsHealthy',
  'NodeHealthy',
  'NodeReady',
  'NodeKubeadmLabelsAndTaintsSet',
  'EtcdPodHealthy',
  'EtcdMemberHealthy',
  'APIServerPodHealthy',
  'ControllerManagerPodHealthy',
  'SchedulerPodHealthy',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'TopologyReconciled',
  'Updating',
  'RollingOut',
  'Remediating',
  'ScalingDown',
  'ScalingUp',
  'MachinesReady',
  'ControlPlaneMachinesReady',
  'WorkerMachinesReady',
  'MachinesUpToDate',
  'ControlPlaneMachinesUpToDate',
  'WorkerMachinesUpToDate',
] as const;

export const conditionOrderLast = ['Paused', 'Deleting'] as const;

/** Conditions of single kinds, which have no place of their own in the order. */
export const otherConditions = [
  'ExternallyRemediated',
  'RemediationAllowed',
  'ResourcesApplied',
  'VariablesReady',
  'RefVersionsUpToDate',
  'Discovered',
] as const;

export type ConditionType =
  | (typeof conditionOrder)[number]
  | (typeof conditionOrderLast)[number]
  | (typeof otherConditions)[number];

/** Sorts conditions as upstream does, so that lists compare equal whoever wrote them. */
export function compareConditionTypes(left: string, right: string): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0 || left === right) return difference;
  return left < right ? -1 : 1;
}

const ranks = new Map<string, number>([
  ...conditionOrder.map((type, index) => [type, index] as const),
  ...conditionOrderLast.map((type, index) => [type, conditionOrder.length + 1 + index] as const),
]);

function rank(type: string): number {
  return ranks.get(type) ?? conditionOrder.length;
}

/** Reasons that several conditions use. */
export const reasons = {
  available: 'Available',
  notAvailable: 'NotAvailable',
  availableUnknown: 'AvailableUnknown',
  ready: 'Ready',
  notReady: 'NotReady',
  readyUnknown: 'ReadyUnknown',
  upToDate: 'UpToDate',
  notUpToDate: 'NotUpToDate',
  upToDateUnknown: 'UpToDateUnknown',
  rollingOut: 'RollingOut',
  notRollingOut: 'NotRollingOut',
  rollingOutUnknown: 'RollingOutUnknown',
  scalingUp: 'ScalingUp',
  notScalingUp: 'NotScalingUp',
  scalingUpUnknown: 'ScalingUpUnknown',
  scalingDown: 'ScalingDown',
  notScalingDown: 'NotScalingDown',
  scalingDownUnknown: 'ScalingDownUnknown',
  remediating: 'Remediating',
  notRemediating: 'NotRemediating',
  deleting: 'Deleting',
  notDeleting: 'NotDeleting',
  deletionCompleted: 'DeletionCompleted',
  paused: 'Paused',
  notPaused: 'NotPaused',
  provisioned: 'Provisioned',
  notProvisioned: 'NotProvisioned',
  noReplicas: 'NoReplicas',
  waitingForReplicasSet: 'WaitingForReplicasSet',
  waitingForAvailableReplicasSet: 'WaitingForAvailableReplicasSet',
  invalidConditionReported: 'InvalidConditionReported',
  notYetReported: 'NotYetReported',
  noReasonReported: 'NoReasonReported',
  internalError: 'InternalError',
  objectDoesNotExist: 'ObjectDoesNotExist',
  objectDeleted: 'ObjectDeleted',
  inspectionFailed: 'InspectionFailed',
  connectionDown: 'ConnectionDown',
  waitingForClusterInfrastructureReady: 'WaitingForClusterInfrastructureReady',
  waitingForControlPlaneInitialized: 'WaitingForControlPlaneInitialized',
  waitingForBootstrapData: 'WaitingForBootstrapData',
} as const;

export const clusterReasons = {
  probeSucceeded: 'ProbeSucceeded',
  probeFailed: 'ProbeFailed',
  initialized: 'Initialized',
  notInitialized: 'NotInitialized',
  noWorkers: 'NoWorkers',
  waitingForBeforeDeleteHook: 'WaitingForBeforeDeleteHook',
  waitingForWorkersDeletion: 'WaitingForWorkersDeletion',
  waitingForControlPlaneDeletion: 'WaitingForControlPlaneDeletion',
  waitingForInfrastructureDeletion: 'WaitingForInfrastructureDeletion',
} as const;

export const topologyReasons = {
  reconcileSucceeded: 'ReconcileSucceeded',
  reconcileFailed: 'ReconcileFailed',
  clusterCreating: 'ClusterCreating',
  clusterUpgrading: 'ClusterUpgrading',
  machineDeploymentsUpgradeDeferred: 'MachineDeploymentsUpgradeDeferred',
  machinePoolsUpgradeDeferred: 'MachinePoolsUpgradeDeferred',
  clusterClassNotReconciled: 'ClusterClassNotReconciled',
} as const;

export const machineReasons = {
  dataSecretProvided: 'DataSecretProvided',
  nodeReady: 'NodeReady',
  nodeNotReady: 'NodeNotReady',
  nodeReadyUnknown: 'NodeReadyUnknown',
  nodeHealthy: 'NodeHealthy',
  nodeNotHealthy: 'NodeNotHealthy',
  nodeHealthyUnknown: 'NodeHealthyUnknown',
  nodeDoesNotExist: 'NodeDoesNotExist',
  nodeDeleted: 'NodeDeleted',
  notUpdating: 'NotUpdating',
  inPlaceUpdating: 'InPlaceUpdating',
  inPlaceUpdateFailed: 'InPlaceUpdateFailed',
  updating: 'Updating',
  waitingForMinReadySeconds: 'WaitingForMinReadySeconds',
  waitingForPreDrainHook: 'WaitingForPreDrainHook',
  drainingNode: 'DrainingNode',
  waitingForVolumeDetach: 'WaitingForVolumeDetach',
  waitingForPreTerminateHook: 'WaitingForPreTerminateHook',
  waitingForInfrastructureDeletion: 'WaitingForInfrastructureDeletion',
  waitingForBootstrapDeletion: 'WaitingForBootstrapDeletion',
  deletingNode: 'DeletingNode',
} as const;

export const remediationReasons = {
  unhealthyNode: 'UnhealthyNode',
  unhealthyMachine: 'UnhealthyMachine',
  waitingForRemediation: 'WaitingForRemediation',
  remediationTemplateNotFound: 'RemediationTemplateNotFound',
  remediationRequestCreationFailed: 'RemediationRequestCreationFailed',
  tooManyUnhealthy: 'TooManyUnhealthy',
  cannotBeRemediated: 'CannotBeRemediated',
  remediationDeferred: 'RemediationDeferred',
  machineDeleting: 'MachineDeleting',
} as const;

export const otherReasons = {
  applied: 'Applied',
  notApplied: 'NotApplied',
  wrongSecretType: 'WrongSecretType',
  variableDiscoveryFailed: 'VariableDiscoveryFailed',
  refVersionsNotUpToDate: 'RefVersionsNotUpToDate',
  discovered: 'Discovered',
  notDiscovered: 'NotDiscovered',
  allocationFailed: 'AllocationFailed',
  poolNotReady: 'PoolNotReady',
  poolExhausted: 'PoolExhausted',
} as const;

/** What goes with `reasons.internalError`: details are for the log. */
export const internalErrorMessage = 'Please check controller logs for errors';
