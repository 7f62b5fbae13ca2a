/** The two API groups: their kinds share names, so whatever is keyed by kind must say the group as well. */
export const vcenterGroup = 'infrastructure.cluster.x-k8s.io';

export const vsphereFinalizers = {
  vsphereCluster: 'vspherecluster.infrastructure.cluster.x-k8s.io',
  /** Of machines in both modes. */
  vsphereMachine: 'vspheremachine.infrastructure.cluster.x-k8s.io',
  vsphereVm: 'vspherevm.infrastructure.cluster.x-k8s.io',
  vsphereClusterIdentity: 'vsphereclusteridentity/infrastructure.cluster.x-k8s.io',
  vsphereDeploymentZone: 'vspheredeploymentzone.infrastructure.cluster.x-k8s.io',
  /** On the Secret with credentials, whether a VSphereCluster or a VSphereClusterIdentity uses it. */
  credentials: 'vspherecluster/infrastructure.cluster.x-k8s.io',
  haproxyLoadBalancer: 'haproxyloadbalancer.infrastructure.cluster.x-k8s.io',
  addressClaim: 'vspherevm.infrastructure.cluster.x-k8s.io/ip-claim-protection',
  supervisorCluster: 'vspherecluster.vmware.infrastructure.cluster.x-k8s.io',
} as const;

export const vsphereLabels = {
  /** On Machines; Cluster API keeps it on their Nodes. */
  esxiHost: 'node.cluster.x-k8s.io/esxi-host',
  /** On ClusterRoles whose rights the manager is to have as well; the spelling is upstream's. */
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

/** The same in the form of v1beta1, where they are called otherwise. */
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
