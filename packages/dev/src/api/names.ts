/** Upstream's names. They are from the time when these kinds belonged to the Docker provider. */
export const devFinalizers = {
  devCluster: 'dockercluster.infrastructure.cluster.x-k8s.io',
  devMachine: 'dockermachine.infrastructure.cluster.x-k8s.io',
  devMachinePool: 'dockermachinepool.infrastructure.cluster.x-k8s.io',
} as const;

export const devAnnotations = {
  listener: 'inmemorycluster.infrastructure.cluster.x-k8s.io/listener',
  bootstrapped: 'machine.inmemory.infrastructure.cluster.x-k8s.io/bootstrapped',
  /**
   * Annotation with the Kubernetes version of a machine of a MachinePool. The Machine has no spec.version until its
   * Node reports the version.
   */
  version: 'machine.inmemory.infrastructure.cluster.x-k8s.io/version',
  etcdClusterId: 'etcd.inmemory.infrastructure.cluster.x-k8s.io/cluster-id',
  etcdMemberId: 'etcd.inmemory.infrastructure.cluster.x-k8s.io/member-id',
  etcdLeaderFrom: 'etcd.inmemory.infrastructure.cluster.x-k8s.io/leader-from',
  etcdMemberRemoved: 'etcd.inmemory.infrastructure.cluster.x-k8s.io/member-removed',
} as const;

export const devConditions = {
  vmProvisioned: 'VMProvisioned',
  nodeProvisioned: 'NodeProvisioned',
  etcdProvisioned: 'EtcdProvisioned',
  apiServerProvisioned: 'APIServerProvisioned',
  loadBalancerAvailable: 'LoadBalancerAvailable',
} as const;

export const devReasons = {
  waitingForVmProvisioned: 'WaitingForVMProvisioned',
  waitingForNodeProvisioned: 'WaitingForNodeProvisioned',
  waitingForStartupTimeout: 'WaitingForStartupTimeout',
  backendNotSupported: 'BackendNotSupported',
  portTaken: 'PortTaken',
  certificatesNotUsable: 'CertificatesNotUsable',
} as const;
