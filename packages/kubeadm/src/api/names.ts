/** Finalizers, annotations and field managers of the kubeadm providers. KubeadmConfig has no finalizer. */
export const kubeadmFinalizers = { kubeadmControlPlane: 'kubeadm.controlplane.cluster.x-k8s.io' } as const;

export const controlPlaneAnnotations = {
  skipCoreDns: 'controlplane.cluster.x-k8s.io/skip-coredns',
  skipKubeProxy: 'controlplane.cluster.x-k8s.io/skip-kube-proxy',
  remediationInProgress: 'controlplane.cluster.x-k8s.io/remediation-in-progress',
  remediationFor: 'controlplane.cluster.x-k8s.io/remediation-for',
  preTerminateCleanup: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup',
} as const;

export const kubeadmFieldManagers = {
  controlPlane: 'capi-kubeadmcontrolplane',
  controlPlaneMetadata: 'capi-kubeadmcontrolplane-metadata',
} as const;

/** Conditions of KubeadmConfig and KubeadmControlPlane, other than those that all kinds have. */
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
