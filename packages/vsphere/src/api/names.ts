/**
 * API group of vCenter mode. Supervisor mode has the same kind names in another group, so keys that contain a kind must also
 * contain its group.
 */
export const vcenterGroup = 'infrastructure.cluster.x-k8s.io';

export const vsphereFinalizers = {
  vsphereCluster: 'vspherecluster.infrastructure.cluster.x-k8s.io',
  /** Finalizer of machines in both modes. */
  vsphereMachine: 'vspheremachine.infrastructure.cluster.x-k8s.io',
  vsphereVm: 'vspherevm.infrastructure.cluster.x-k8s.io',
  vsphereClusterIdentity: 'vsphereclusteridentity/infrastructure.cluster.x-k8s.io',
  vsphereDeploymentZone: 'vspheredeploymentzone.infrastructure.cluster.x-k8s.io',
  /** Finalizer of the Secret with credentials, whether a VSphereCluster or a VSphereClusterIdentity uses it. */
  credentials: 'vspherecluster/infrastructure.cluster.x-k8s.io',
  haproxyLoadBalancer: 'haproxyloadbalancer.infrastructure.cluster.x-k8s.io',
  addressClaim: 'vspherevm.infrastructure.cluster.x-k8s.io/ip-claim-protection',
  supervisorCluster: 'vspherecluster.vmware.infrastructure.cluster.x-k8s.io',
} as const;

export const vsphereLabels = {
  /** Label of Machines, which Cluster API copies to their Nodes. */
  esxiHost: 'node.cluster.x-k8s.io/esxi-host',
  /** Label of ClusterRoles whose permissions are aggregated to the manager's. The spelling is upstream's. */
  aggregateToManager: 'capv.infrastucture.cluster.x-k8s.io/aggregate-to-manager',
} as const;

export const vsphereConditions = {
  ready: 'Ready',
  vcenterAvailable: 'VCenterAvailable',
  failureDomainsReady: 'FailureDomainsReady',
  clusterModulesReady: 'ClusterModulesReady',
  virtualMachineProvisioned: 'VirtualMachineProvisioned',
  addressClaimsFulfilled: 'IPAddressClaimsFulfilled',
  guestSoftPowerOffSucceeded: 'GuestSoftPowerOffSucceeded',
  pciDevicesDetached: 'PCIDevicesDetached',
  identityAvailable: 'Available',
  placementConstraintReady: 'PlacementConstraintReady',
  failureDomainValidated: 'FailureDomainValidated',
  resourcePolicyReady: 'ResourcePolicyReady',
  networkReady: 'NetworkReady',
  loadBalancerReady: 'LoadBalancerReady',
  providerServiceAccountsReady: 'ProviderServiceAccountsReady',
  serviceDiscoveryReady: 'ServiceDiscoveryReady',
} as const;

/** Names of the deprecated v1beta1 conditions. */
export const vsphereV1Beta1Conditions = {
  vmProvisioned: 'VMProvisioned',
  clusterNetworkReady: 'ClusterNetworkReady',
  failureDomainsAvailable: 'FailureDomainsAvailable',
  clusterModulesAvailable: 'ClusterModulesAvailable',
  addressClaimed: 'IPAddressClaimed',
  credentialsAvailable: 'CredentialsAvailable',
  placementConstraintMet: 'PlacementConstraintMet',
  failureDomainValidated: 'VSphereFailureDomainValidated',
} as const;
