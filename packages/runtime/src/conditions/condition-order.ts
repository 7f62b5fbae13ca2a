/** The order in which Cluster API sorts conditions, so that kubectl lists the most useful ones first. */
const first = [
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
];
const last = ['Paused', 'Deleting'];

const places: ReadonlyMap<string, number> = new Map([
  ...first.map((type, index) => [type, index] as const),
  ...last.map((type, index) => [type, first.length + 1 + index] as const),
]);

/** Compares condition types by this order. Other types sort by name, directly before Paused. */
export function compareConditions(left: { readonly type: string }, right: { readonly type: string }): number {
  const difference = placeOf(left.type) - placeOf(right.type);
  if (difference !== 0 || left.type === right.type) return difference;
  return left.type < right.type ? -1 : 1;
}

function placeOf(type: string): number {
  return places.get(type) ?? first.length;
}
