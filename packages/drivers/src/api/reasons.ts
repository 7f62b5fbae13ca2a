/** The remedy for each failure reason, used by the operator and by the CLI. */
export const remedies = {
  SecretNotFound:
    'create the Secret that spec.credentials names, with the keys username and password: `slipway drivers secrets set`',
  SecretKeysMissing:
    'set the keys username and password of the Secret to non-empty values: `slipway drivers secrets set`',
  DNSFailure:
    'correct spec.vcIp, or make the name resolve on the control-plane nodes: the operator uses the DNS of the node',
  Unreachable: 'check the address and port, and that no firewall blocks the control plane nodes from vCenter',
  TLSUntrusted: 'verify the certificate of vCenter, then set spec.thumbprint or spec.caBundle',
  ThumbprintMismatch:
    'if the certificate of vCenter was renewed, set spec.thumbprint to the new value; otherwise another server may be impersonating vCenter',
  CertificateExpired:
    'renew the certificate of vCenter; an expired certificate is rejected even if the thumbprint matches',
  InvalidLogin:
    'correct the password in the Secret; retries with the same password are limited, so that the account is not locked',
  AccountLocked: 'unlock the account in vCenter, or wait until the lock ends',
  PasswordExpired: 'set a new password: `slipway drivers users rotate`',
  NotVCenter: 'set spec.vcIp to a vCenter; a single ESXi host is not supported',
  VersionUnsupported: 'upgrade vCenter to 6.7 U3 or later',
  DatacenterNotFound: 'correct spec.datacenters: a name or an inventory path in vCenter',
  DatacenterAmbiguous: 'use the inventory path of the datacenter instead of its name',
  ResourceNotFound: 'correct the name in spec.datastores, spec.clusters or spec.folders',
  PrivilegesMissing: 'grant the listed privileges; `slipway drivers users create` creates an account that has them',
  PrivilegesUnknown:
    'write the user with its domain, user@domain: vCenter does not report privileges for a user name without a domain',
  UserWithoutDomain: 'write the user as user@domain or DOMAIN\\user: the storage driver does not start otherwise',
  ContradictoryTrust: 'set either spec.insecure, or a thumbprint or CA bundle',
  WaitingForConnection: 'check the connections: `slipway drivers status`',
  ConnectionNotFound: 'create the VsphereCloudConfig, or correct the name in the VDOConfig',
  WaitingForMatrix: 'check the condition MatrixAvailable',
  MatrixUnavailable:
    'make the matrix reachable, or provide it as a file: `slipway drivers update compatibility-matrix FILE`',
  MatrixAmbiguous: 'set either versionConfigURL or versionConfigContent in the ConfigMap compat-matrix-config',
  MatrixInvalid: 'correct the matrix: `slipway drivers matrix validate FILE` lists the errors',
  ChecksumMismatch: 'download the file again, or correct sha256',
  NoCompatibleCPI: 'list the closest versions: `slipway drivers matrix explain`',
  NoCompatibleCSI: 'list the closest versions: `slipway drivers matrix explain`',
  PinnedVersionMissing: 'pin a version of the matrix, or add the templates of this version to the matrix',
  PinnedVersionIncompatible:
    'pin another version, or set the annotation vdo.vmware.com/allow-incompatible=true on the VDOConfig',
  Withdrawn: 'pin another version, or remove the pin',
  UpgradeRequired: 'upgrade with `slipway drivers upgrade`: the installed version is no longer compatible',
  UpgradeBlocked: 'upgrade in steps that the matrix allows, or pin an intermediate version',
  DowngradeBlocked: 'remove the features that the older version does not support, or keep the installed version',
  UpgradeFailed: 'check the workloads and events, or roll back with `slipway drivers rollback`',
  TemplateUnavailable:
    'make the address in deploymentPath reachable, or use a bundle: `slipway drivers deploy --bundle`',
  TemplateInvalid: 'correct the template: it must contain the objects of a driver as YAML',
  ConfigurationInvalid: 'correct the field that the message names',
  ClusterIdConflict:
    'remove cluster-id from the old Secret, or delete the ConfigMap vsphere-csi-cluster-id: keep the object that contains the ID of this cluster',
  ApplyFailed: 'check the message of the API server',
  Forbidden: 'apply the roles of this version: `slipway drivers deploy`',
  ImagePullFailed:
    'check that the nodes can reach the registry, or use another: `slipway drivers deploy --image-registry`',
  CrashLooping: 'check the termination message of the container',
  RollingOut: 'wait: the pods are being replaced one by one',
  ReplicasUnschedulable: 'lower spec.storageProvider.controllerReplicas to the number of control-plane nodes',
  LeaseNotRenewed: 'check the logs of the vsphere-cloud-controller-manager pods',
  NodesNotRegistered: 'check the vsphere-csi-node pods on these nodes',
  NodesNotInitialized: 'check status.nodes for the reason of each node',
  NodeNotFound: 'add the datacenter of the VM to spec.datacenters of a connection, or add a connection to its vCenter',
  KubeletWithoutCloudProvider:
    'start the kubelet with --cloud-provider=external, or taint the node once: kubectl taint node NODE node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule',
  ForeignProviderID: 'remove the node: it belongs to another cloud provider and cannot use these drivers',
  DiskUUIDDisabled: 'set disk.EnableUUID=TRUE in the advanced configuration of the VM while it is powered off',
  HardwareTooOld: 'upgrade the compatibility of the VM to ESXi 6.7 U2 (vmx-15) or later while it is powered off',
  ToolsNotRunning: 'install and start VMware Tools (open-vm-tools) in the VM',
  HostTooOld: 'upgrade the ESXi host to 6.7 U3 or later',
  ForeignDriverPresent: 'remove the existing driver, or remove it from the spec of the VDOConfig',
  ManagedByOpenShift:
    'set spec.managementState of ClusterCSIDriver csi.vsphere.vmware.com to Removed, or use the platform None or External',
  RequestInvalid: 'correct the annotations vdo.vmware.com/* of the Cluster',
  CredentialsMissing:
    'create an account and its Secret with `slipway drivers users create`, and set the annotation vdo.vmware.com/credentials to the Secret',
  AccountOfMachines:
    'create a separate account for the drivers, without the privilege to create VMs: `slipway drivers users create`',
  WaitingForMachines: 'wait for the first machine: the drivers use the datacenters of the machines',
  ClusterDisconnected: 'wait: the connection to the cluster is retried',
  Superseded: 'delete this VDOConfig: only one per cluster is supported',
  OtherOperator: 'remove one of the two installations of the operator',
  VolumesAttached: 'drain the pods that use volumes of csi.vsphere.vmware.com first',
  WaitingForRollout: 'wait until the previous step is healthy',
} as const;

export type Reason = keyof typeof remedies;

/** Returns the remedy for a reason, or undefined for reasons without one. */
export function remedyOf(reason: string): string | undefined {
  return Object.hasOwn(remedies, reason) ? remedies[reason as Reason] : undefined;
}

/** An expected failure. Its reason becomes the reason of a condition, and its message never contains credentials. */
export class DriverError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DriverError';
  }
}
