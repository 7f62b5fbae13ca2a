/**
 * Contract labels of the CRDs. v1beta2 also implements the v1beta1 contract: managers of Cluster API up to 1.10 select the
 * version by the second label and read `status.ready`. KVMClusters override the second label.
 */
export const definitionLabels = {
  'cluster.x-k8s.io/provider': 'infrastructure-kvm',
  'cluster.x-k8s.io/v1beta1': 'v1beta2',
  'cluster.x-k8s.io/v1beta2': 'v1beta2',
} as const;

export const kvmCategories = ['cluster-api', 'kvm', 'giantswarm'] as const;

export const kvmFinalizers = {
  kvmCluster: 'kvmcluster.infrastructure.cluster.x-k8s.io',
  kvmMachine: 'kvmmachine.infrastructure.cluster.x-k8s.io',
} as const;

export const kvmLabels = {
  /** Label of all objects that a backend creates for a machine: the UUID of the virtual machine, not of the KVMMachine. */
  machineUuid: 'infrastructure.cluster.x-k8s.io/kvm-machine-uuid',
} as const;

export const kvmAnnotations = {
  /** Annotation that deletes the object even if the host of its virtual machine is unreachable. */
  forceDelete: 'infrastructure.cluster.x-k8s.io/force-delete',
  /** Pause annotation of the legacy operator. The object is paused if the value is "true". */
  legacyPaused: 'operatorkit.giantswarm.io/paused',
} as const;

export const kvmConditions = {
  ready: 'Ready',
  /** Conditions of KVMClusters. */
  namespaceReady: 'NamespaceReady',
  networkReady: 'NetworkReady',
  loadBalancerReady: 'LoadBalancerReady',
  controlPlaneEndpointReady: 'ControlPlaneEndpointReady',
  /** Conditions of KVMMachines, in the order in which they become true. */
  bootstrapDataAvailable: 'BootstrapDataAvailable',
  imageReady: 'ImageReady',
  disksReady: 'DisksReady',
  vmProvisioned: 'VMProvisioned',
  vmRunning: 'VMRunning',
  bootstrapSucceeded: 'BootstrapSucceeded',
  nodeHealthy: 'NodeHealthy',
  loadBalancerAttached: 'LoadBalancerAttached',
  deleting: 'Deleting',
} as const;

export const kvmReasons = {
  waitingForClusterInfrastructure: 'WaitingForClusterInfrastructure',
  waitingForBootstrapData: 'WaitingForBootstrapData',
  bootstrapFormatUnsupported: 'BootstrapFormatUnsupported',
  bootstrapRunning: 'BootstrapRunning',
  bootstrapFailed: 'BootstrapFailed',
  imageDownloading: 'ImageDownloading',
  imageDownloadFailed: 'ImageDownloadFailed',
  imageMissing: 'ImageMissing',
  imageChecksumMismatch: 'ImageChecksumMismatch',
  imageTooLargeForDisk: 'ImageTooLargeForDisk',
  allocationExhausted: 'AllocationExhausted',
  waitingForAddress: 'WaitingForAddress',
  hostUnreachable: 'HostUnreachable',
  hostNotSupported: 'HostNotSupported',
  insufficientCapacity: 'InsufficientCapacity',
  portTaken: 'PortTaken',
  startFailed: 'StartFailed',
  starting: 'Starting',
  running: 'Running',
  stopped: 'Stopped',
  crashLooping: 'CrashLooping',
  crashed: 'Crashed',
  guestPanicked: 'GuestPanicked',
  ioError: 'IOError',
  slowAccelerator: 'SlowAccelerator',
  podUnschedulable: 'PodUnschedulable',
  podLost: 'PodLost',
  disksLost: 'DisksLost',
  shuttingDown: 'ShuttingDown',
  shutdownTimedOut: 'ShutdownTimedOut',
  nodeNotFound: 'NodeNotFound',
  nodeNotReady: 'NodeNotReady',
  workloadClusterUnreachable: 'WorkloadClusterUnreachable',
  deletionBlocked: 'DeletionBlocked',
  waitingForMachines: 'WaitingForMachines',
  invalidSpec: 'InvalidSpec',
} as const;

export type KVMReason = (typeof kvmReasons)[keyof typeof kvmReasons];
