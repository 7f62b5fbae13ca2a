/** Conditions of KubeadmConfig and KubeadmControlPlane beside those that all kinds have. */
export const kubeadmConditions = {
  certificatesAvailable: 'CertificatesAvailable',
  dataSecretAvailable: 'DataSecretAvailable',
  initialized: 'Initialized',
  etcdClusterHealthy: 'EtcdClusterHealthy',
  controlPlaneComponentsHealthy: 'ControlPlaneComponentsHealthy',
} as const;

/** Conditions that the control plane writes on its Machines. */
export const controlPlaneMachineConditions = {
  nodeKubeadmLabelsAndTaintsSet: 'NodeKubeadmLabelsAndTaintsSet',
  apiServerPodHealthy: 'APIServerPodHealthy',
  controllerManagerPodHealthy: 'ControllerManagerPodHealthy',
  schedulerPodHealthy: 'SchedulerPodHealthy',
  etcdPodHealthy: 'EtcdPodHealthy',
  etcdMemberHealthy: 'EtcdMemberHealthy',
} as const;

export const kubeadmReasons = {
  running: 'Running',
  provisioning: 'Provisioning',
  doesNotExist: 'DoesNotExist',
  failed: 'Failed',
  healthy: 'Healthy',
  notHealthy: 'NotHealthy',
  healthUnknown: 'HealthUnknown',
  set: 'Set',
  notSet: 'NotSet',
  waitingForWorkersDeletion: 'WaitingForWorkersDeletion',
  waitingForMachineDeletion: 'WaitingForMachineDeletion',
} as const;
