/** Contract label of the CRDs: each has a single version, which implements the v1beta2 contract. */
export const contractLabels = { 'cluster.x-k8s.io/v1beta2': 'v1beta2' } as const;

export const hostFinalizers = {
  hostCluster: 'hostcluster.infrastructure.cluster.x-k8s.io',
  hostMachine: 'hostmachine.infrastructure.cluster.x-k8s.io',
} as const;

export const hostConditions = {
  ready: 'Ready',
  /** Conditions of clusters: the network, and the load balancer in front of the API servers. */
  networkProvisioned: 'NetworkProvisioned',
  loadBalancerAvailable: 'LoadBalancerAvailable',
  /** Conditions of machines, in the order in which they become True. */
  addressAllocated: 'AddressAllocated',
  machineRunning: 'MachineRunning',
  bootstrapExecSucceeded: 'BootstrapExecSucceeded',
} as const;

export const hostReasons = {
  hostNotSupported: 'HostNotSupported',
  networkTaken: 'NetworkTaken',
  balancerSilent: 'BalancerSilent',
  waitingForAddress: 'WaitingForAddress',
  waitingForMachine: 'WaitingForMachine',
  nameTooLong: 'NameTooLong',
  nodeFilesMissing: 'NodeFilesMissing',
  bootstrapDataNotUsable: 'BootstrapDataNotUsable',
  machineEnded: 'MachineEnded',
  bootstrapRunning: 'BootstrapRunning',
  bootstrapFailed: 'BootstrapFailed',
} as const;
