/** Every reason that is not good news, with what a person can do about it: the operator and the command say the same. */
export const remedies = {
  SecretNotFound:
    'create the Secret that spec.credentials names, with the keys username and password: `slipway drivers secrets set`',
  SecretKeysMissing:
    'the Secret needs the keys username and password, neither of them empty: `slipway drivers secrets set`',
  DNSFailure:
    'correct spec.vcIp, or make the name resolve on the control-plane nodes: the operator uses the DNS of the node',
  Unreachable:
    'check that the address and port are right and that no firewall stands between the control-plane nodes and vCenter',
  TLSUntrusted: 'set spec.thumbprint or spec.caBundle, after comparing them with the certificate of vCenter',
  ThumbprintMismatch:
    'if the certificate of vCenter was renewed, set spec.thumbprint to the new value; if not, somebody else answers',
  CertificateExpired: 'renew the certificate of vCenter; a thumbprint does not excuse one that has expired',
  InvalidLogin:
    'correct the password in the Secret; the same password is not tried again and again, since that would lock the account',
  AccountLocked: 'unlock the account in vCenter, or wait until the lock ends',
  PasswordExpired: 'set a new password: `slipway drivers users rotate`',
  NotVCenter: 'spec.vcIp must name a vCenter; a single ESXi host cannot carry the drivers',
  VersionUnsupported: 'upgrade vCenter to 6.7 U3 or newer',
  DatacenterNotFound: 'correct spec.datacenters: a name or an inventory path, as vCenter shows it',
  DatacenterAmbiguous: 'give the inventory path of the datacenter instead of its name',
  ResourceNotFound: 'correct the name in spec.datastores, spec.clusters or spec.folders',
  PrivilegesMissing:
    'grant the privileges that are listed: `slipway drivers users create` makes an account that has them',
  PrivilegesUnknown: 'write the user with its domain, user@domain: vCenter says nothing of a name without one',
  UserWithoutDomain: 'write the user as user@domain or DOMAIN\\user: the storage driver does not start otherwise',
  ContradictoryTrust: 'spec.insecure cannot stand beside a thumbprint or a CA bundle: leave one of them out',
  WaitingForConnection: 'look at the connections: `slipway drivers status`',
  ConnectionNotFound: 'create the VsphereCloudConfig, or correct the name in the VDOConfig',
  WaitingForMatrix: 'look at MatrixAvailable',
  MatrixUnavailable:
    'make the matrix reachable, or give it as a file: `slipway drivers update compatibility-matrix FILE`',
  MatrixAmbiguous: 'the ConfigMap compat-matrix-config may hold versionConfigURL or versionConfigContent, not both',
  MatrixInvalid: 'correct the matrix: `slipway drivers matrix validate FILE` says where',
  ChecksumMismatch: 'the file is not the one that was announced: fetch it again, or correct sha256',
  NoCompatibleCPI: 'see the versions that come nearest: `slipway drivers matrix explain`',
  NoCompatibleCSI: 'see the versions that come nearest: `slipway drivers matrix explain`',
  PinnedVersionMissing: 'pin a version that the matrix has, or add its templates to the matrix',
  PinnedVersionIncompatible:
    'pin another version, or set the annotation vdo.vmware.com/allow-incompatible=true on the VDOConfig',
  Withdrawn: 'pin another version, or take the pin away',
  UpgradeRequired: 'the installed version does not fit any longer: upgrade with `slipway drivers upgrade`',
  UpgradeBlocked: 'upgrade in steps that the matrix allows, or pin a version in between',
  DowngradeBlocked: 'the older version cannot serve what is in use: remove that first, or stay',
  UpgradeFailed: 'see the workloads and events; `slipway drivers rollback` goes back to the version before',
  TemplateUnavailable:
    'make the address in deploymentPath reachable, or use a bundle: `slipway drivers deploy --bundle`',
  TemplateInvalid: 'correct the template: it must hold the objects of a driver as YAML',
  ConfigurationInvalid: 'correct the field that the message names',
  ClusterIdConflict:
    'remove cluster-id from the old Secret, or the ConfigMap vsphere-csi-cluster-id, whichever is not the id of this cluster',
  ApplyFailed: 'see the message of the server',
  Forbidden: 'apply the roles of this version: `slipway drivers deploy`',
  ImagePullFailed:
    'check that the nodes reach the registry, or name another: `slipway drivers deploy --image-registry`',
  CrashLooping: 'see the last words of the container in the message',
  RollingOut: 'wait: the pods are being replaced one after the other',
  ReplicasUnschedulable: 'lower spec.storageProvider.controllerReplicas to the number of control-plane nodes',
  LeaseNotRenewed: 'see the log of the pods of vsphere-cloud-controller-manager',
  NodesNotRegistered: 'see the pods of vsphere-csi-node on the nodes that are named',
  NodesNotInitialized: 'see status.nodes: each node says what it waits for',
  NodeNotFound: 'add the datacenter of the machine to spec.datacenters of a connection, or add its vCenter',
  KubeletWithoutCloudProvider:
    'start the kubelet with --cloud-provider=external, or taint the node once: kubectl taint node NODE node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule',
  ForeignProviderID: 'the node belongs to another cloud: it cannot use these drivers',
  DiskUUIDDisabled: 'set disk.EnableUUID=TRUE in the advanced configuration of the machine, while it is off',
  HardwareTooOld: 'upgrade the compatibility of the machine to ESXi 6.7 U2 (vmx-15) or newer, while it is off',
  ToolsNotRunning: 'install and start VMware Tools (open-vm-tools) in the machine',
  HostTooOld: 'upgrade the ESXi host to 6.7 U3 or newer',
  ForeignDriverPresent: 'remove the driver that somebody else installed, or let this VDOConfig not manage it',
  ManagedByOpenShift:
    'set spec.managementState of ClusterCSIDriver csi.vsphere.vmware.com to Removed, or use the platform None or External',
  RequestInvalid: 'correct the annotations vdo.vmware.com/* of the Cluster',
  CredentialsMissing:
    'make an account and its Secret: `slipway drivers users create`, and name the Secret in vdo.vmware.com/credentials',
  AccountOfMachines:
    'give the drivers an account of their own, which may not make machines: `slipway drivers users create`',
  WaitingForMachines: 'wait: the datacenters of the drivers are those of the machines',
  ClusterDisconnected: 'wait: the cluster is connected again by itself',
  Superseded: 'there is one VDOConfig for a cluster: delete this one',
  OtherOperator: 'remove one of the two installations of the operator',
  VolumesAttached: 'drain the pods that use volumes of csi.vsphere.vmware.com first',
  WaitingForRollout: 'wait until the step before is healthy',
} as const;

export type Reason = keyof typeof remedies;

/** A reason that this program gave, and what to do about it; nothing for good news. */
export function remedyOf(reason: string): string | undefined {
  return Object.hasOwn(remedies, reason) ? remedies[reason as Reason] : undefined;
}

/** A failure that is expected: its reason is that of a condition, and its message never holds a secret. */
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
