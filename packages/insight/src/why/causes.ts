import type { Cause } from './cause.js';

/**
 * All causes, from the most basic to the most specific: a cause near the top also blocks the objects of the causes
 * below it.
 */
export const causes = {
  NamespaceTerminating: {
    urgency: 'act',
    state: 'blocked',
    means: 'The namespace is being deleted, so no object can be created in it.',
    remedy: 'Find the objects or finalizers that block the deletion of the namespace, or use another namespace.',
  },
  ClusterMissing: {
    urgency: 'act',
    state: 'blocked',
    means: 'The object belongs to a Cluster that does not exist.',
    remedy: 'Create the Cluster, correct spec.clusterName, or delete the object.',
  },
  KindNotInstalled: {
    urgency: 'act',
    state: 'blocked',
    means: 'The object references a kind whose CustomResourceDefinition is not installed.',
    remedy: 'Install the provider that owns the kind, or correct the reference.',
  },
  ContractMissing: {
    urgency: 'act',
    state: 'blocked',
    means:
      'The CustomResourceDefinition of a referenced kind has no label for a Cluster API contract version, so controllers cannot read its objects.',
    remedy: 'Install a provider release whose CustomResourceDefinitions have the label cluster.x-k8s.io/<contract>.',
  },
  ReferenceMissing: {
    urgency: 'act',
    state: 'blocked',
    means: 'The object references an object that does not exist.',
    remedy: 'Create the referenced object, or correct the reference.',
  },
  InfrastructureGone: {
    urgency: 'act',
    state: 'blocked',
    means: 'The infrastructure object was provisioned and has been deleted while its owner still uses it.',
    remedy:
      'For a Machine, delete the Machine so that its owner replaces it. For a Cluster, create the infrastructure object again.',
  },
  ClusterPaused: {
    urgency: 'act',
    state: 'held',
    means: 'The Cluster is paused, so controllers do not reconcile it or any object that belongs to it.',
    remedy: 'Unpause the Cluster, unless it is paused on purpose, for example by a move that is still running.',
  },
  ObjectPaused: {
    urgency: 'act',
    state: 'held',
    means: 'The object has the annotation cluster.x-k8s.io/paused, so its controller does not reconcile it.',
    remedy: 'Remove the annotation, unless the object is paused on purpose.',
  },
  RolloutPaused: {
    urgency: 'act',
    state: 'held',
    means: 'The MachineDeployment is paused: it still scales, but does not roll out changes of its template.',
    remedy: 'Resume the rollout.',
  },
  RolloutLater: {
    urgency: 'wait',
    state: 'held',
    means: 'spec.rollout.after is in the future, and Machines are replaced only after that time.',
    remedy: 'Wait until that time, or set an earlier one.',
  },
  RolloutOnDelete: {
    urgency: 'act',
    state: 'held',
    means: 'The rollout strategy is OnDelete, so an outdated Machine is replaced only after a user deletes it.',
    remedy: 'Delete the outdated Machines one at a time.',
  },
  ExternallyManaged: {
    urgency: 'wait',
    state: 'held',
    means:
      'The infrastructure object has the annotation cluster.x-k8s.io/managed-by, and its external manager has not reported it as provisioned.',
    remedy: 'Check the external manager: it must set status.initialization.provisioned.',
  },
  ClassMissing: {
    urgency: 'act',
    state: 'blocked',
    means: 'The Cluster topology references a ClusterClass that does not exist.',
    remedy: 'Create the ClusterClass, or correct spec.topology.classRef.',
  },
  ClassNotReady: {
    urgency: 'act',
    state: 'blocked',
    means: 'The ClusterClass has not been reconciled, so Clusters cannot be created or updated from it.',
    remedy: 'Fix the problem that the conditions of the ClusterClass report.',
  },
  TopologyFailed: {
    urgency: 'act',
    state: 'failing',
    means: 'The topology controller could not compute or apply the objects of the Cluster.',
    remedy:
      'Fix the ClusterClass, its templates and patches, or the variables of the Cluster, depending on the error message.',
  },
  ExtensionUnavailable: {
    urgency: 'act',
    state: 'failing',
    means: 'A runtime extension does not respond or returns an error, and the ClusterClass or the Cluster requires it.',
    remedy: 'Check the server of the extension and its ExtensionConfig. The call is retried.',
  },
  WebhookUnavailable: {
    urgency: 'act',
    state: 'failing',
    means: 'An admission webhook does not respond, so the API server rejects writes.',
    remedy: 'Check the Service and the Pods behind the webhook, or delete its configuration if it is obsolete.',
  },
  UpgradeHeld: {
    urgency: 'act',
    state: 'held',
    means: 'An annotation defers or holds the upgrade of the workers.',
    remedy: 'Remove the annotation when the workers may be upgraded.',
  },
  LifecycleHookBlocks: {
    urgency: 'wait',
    state: 'held',
    means: 'A runtime extension or a hook annotation blocks the next lifecycle step of the Cluster.',
    remedy: 'Check the blocking extension. The hook is called again automatically.',
  },
  CertificatesMissing: {
    urgency: 'act',
    state: 'blocked',
    means:
      'The Secret of a cluster CA does not exist. The CA of an initialized cluster is not generated again, because the machines trust only the original one.',
    remedy: 'Restore the Secret from a backup.',
  },
  CertificatesUnusable: {
    urgency: 'act',
    state: 'blocked',
    means: 'The Secret of a cluster CA does not contain a usable certificate and key.',
    remedy:
      'Replace the Secret with one whose tls.crt and tls.key match. If the cluster is not initialized yet, delete the Secret and a new CA is generated.',
  },
  VCenterUnreachable: {
    urgency: 'act',
    state: 'failing',
    means: 'The provider cannot connect to vCenter, so it neither creates nor deletes virtual machines.',
    remedy:
      'Check that vCenter is running, and check its address and the network. Reconciliation continues when vCenter is reachable. Do not remove finalizers meanwhile: the virtual machines would remain in vCenter.',
  },
  CredentialsRejected: {
    urgency: 'act',
    state: 'blocked',
    means: 'The credentials for the infrastructure are missing or were rejected.',
    remedy: 'Correct the Secret with the credentials.',
  },
  InfrastructureMisconfigured: {
    urgency: 'act',
    state: 'blocked',
    means:
      'The infrastructure object requires a resource that does not exist, is not supported or has no capacity. The provider does not continue without this resource.',
    remedy: 'Create what the message names, or correct the template that names it.',
  },
  MachineLost: {
    urgency: 'act',
    state: 'blocked',
    means: 'The virtual machine, Pod or process of the machine no longer exists and is not created again.',
    remedy: 'Delete the Machine so that its owner replaces it.',
  },
  InfrastructureFailed: {
    urgency: 'act',
    state: 'failing',
    means: 'The infrastructure provider reports an error and retries.',
    remedy: 'Fix the problem that the message describes.',
  },
  InfrastructureNotReady: {
    urgency: 'wait',
    state: 'progress',
    means: 'The infrastructure provider has not finished provisioning. The message contains the reason.',
    remedy:
      'Fix the problem that the message describes. If the message does not describe a problem, check the logs of the provider.',
  },
  MachineStartsUp: {
    urgency: 'wait',
    state: 'progress',
    means: 'The machine is being created or is booting.',
    remedy: 'Wait until the machine has started.',
  },
  BootstrapDataFailed: {
    urgency: 'act',
    state: 'failing',
    means: 'The bootstrap provider cannot generate the bootstrap data of a machine from its configuration.',
    remedy: 'Fix the bootstrap configuration or the objects that it references, as the message describes.',
  },
  NodeNotRegistered: {
    urgency: 'wait',
    state: 'progress',
    means: 'The machine is running, but no Node with its provider ID has joined the cluster.',
    remedy:
      'Check the cloud-init and kubelet logs on the console of the machine, and compare the provider ID of the Node with that of the Machine.',
  },
  NodeGone: {
    urgency: 'act',
    state: 'blocked',
    means: 'The Node of the Machine has been deleted.',
    remedy: 'Delete the Machine so that its owner replaces it.',
  },
  NodeUnhealthy: {
    urgency: 'act',
    state: 'failing',
    means: 'The Node is not ready or under resource pressure, or its kubelet has stopped reporting.',
    remedy: 'Check the Node. A MachineHealthCheck replaces such Machines automatically.',
  },
  KubeconfigMissing: {
    urgency: 'act',
    state: 'blocked',
    means: 'The kubeconfig Secret of the workload cluster does not exist.',
    remedy: 'The control plane provider creates the Secret. If it was deleted, restore it.',
  },
  KubeconfigNotLabelled: {
    urgency: 'act',
    state: 'blocked',
    means:
      'The kubeconfig Secret does not have the label cluster.x-k8s.io/cluster-name, so controllers do not find it.',
    remedy: 'Add the label.',
  },
  WorkloadUnreachable: {
    urgency: 'act',
    state: 'failing',
    means: 'The management cluster cannot reach the API server of the workload cluster.',
    remedy:
      'Check the control plane endpoint, its load balancer and the network. The control plane machines do not report a problem.',
  },
  EtcdUnhealthy: {
    urgency: 'act',
    state: 'failing',
    means:
      'etcd of the workload cluster is unhealthy. Control plane Machines are not added or removed until it is healthy.',
    remedy:
      'Check the etcd members that the message names. Do not remove a member manually unless a majority of the members is healthy.',
  },
  ComponentsUnhealthy: {
    urgency: 'act',
    state: 'failing',
    means: 'Control plane components are unhealthy.',
    remedy: 'Check the Pods in kube-system that the message names.',
  },
  PreflightFailed: {
    urgency: 'act',
    state: 'blocked',
    means:
      'The MachineSet preflight checks failed, so no Machines are created: they would not be compatible with the control plane.',
    remedy: 'Align the versions as the message describes.',
  },
  MachineCreationDisabled: {
    urgency: 'act',
    state: 'held',
    means: 'The MachineSet has the annotation cluster.x-k8s.io/disable-machine-create, so it does not create Machines.',
    remedy: 'Remove the annotation.',
  },
  MachineCreationRejected: {
    urgency: 'act',
    state: 'failing',
    means: 'The API server rejects the objects of a Machine because of a policy, a quota or a validation rule.',
    remedy: 'Change the policy, the quota or the template that the message names.',
  },
  MachineUnhealthy: {
    urgency: 'wait',
    state: 'progress',
    means: 'A MachineHealthCheck marked the Machine as unhealthy, and its owner has to replace it.',
    remedy: 'Wait for the replacement. If the remediation is deferred, the message contains the reason.',
  },
  RemediationNotAllowed: {
    urgency: 'act',
    state: 'blocked',
    means:
      'More Machines are unhealthy than the MachineHealthCheck may remediate at the same time, so it remediates none.',
    remedy:
      'Find the common cause and repair the Machines, or temporarily raise the limit in spec.remediation.triggerIf.',
  },
  RemediationFailed: {
    urgency: 'act',
    state: 'blocked',
    means: 'An unhealthy Machine cannot be remediated automatically.',
    remedy: 'Read the message, and delete the Machine manually when that is safe.',
  },
  AddressesExhausted: {
    urgency: 'act',
    state: 'blocked',
    means: 'The IP address pool has no free address.',
    remedy: 'Add addresses to the pool, or release unused ones.',
  },
  AddressPoolNotReady: {
    urgency: 'act',
    state: 'blocked',
    means: 'The IP address pool does not exist or cannot be used.',
    remedy: 'Create the pool, or fix its configuration.',
  },
  AddOnResourceMissing: {
    urgency: 'act',
    state: 'blocked',
    means: 'A ClusterResourceSet references a ConfigMap or Secret that does not exist.',
    remedy: 'Create the ConfigMap or Secret, or remove it from the ClusterResourceSet.',
  },
  AddOnSecretType: {
    urgency: 'act',
    state: 'blocked',
    means:
      'A ClusterResourceSet references a Secret whose type is not addons.cluster.x-k8s.io/resource-set; only Secrets of this type are applied.',
    remedy: 'Delete the Secret and create it with that type. The type of an existing Secret is immutable.',
  },
  AddOnNotApplied: {
    urgency: 'act',
    state: 'failing',
    means: 'The resources of a ClusterResourceSet could not be applied to a workload cluster.',
    remedy: 'Fix the manifest that the message names.',
  },
  AddOnsWaiting: {
    urgency: 'wait',
    state: 'progress',
    means: 'The resources of a ClusterResourceSet are applied as soon as the workload cluster is reachable.',
    remedy: 'Wait until the control plane is initialized.',
  },
  DeletionHook: {
    urgency: 'act',
    state: 'held',
    means: 'A hook annotation blocks the deletion of the Machine until its owner removes the annotation.',
    remedy: 'Check the program that owns the hook. If that program no longer exists, remove the annotation.',
  },
  DrainBlocked: {
    urgency: 'act',
    state: 'blocked',
    means: 'Pods cannot be evicted from the Node, so the Machine is not deleted.',
    remedy:
      'Check the Pods and PodDisruptionBudgets that the message names. A node drain timeout or an annotation ends the wait.',
  },
  VolumesAttached: {
    urgency: 'act',
    state: 'blocked',
    means: 'Volumes are still attached to the Node, so the Machine is not deleted.',
    remedy: 'Check the volumes that the message names and the CSI driver of the workload cluster.',
  },
  ForeignFinalizer: {
    urgency: 'act',
    state: 'blocked',
    means: 'A finalizer that does not belong to Cluster API blocks the deletion of the object.',
    remedy:
      'Check the program that owns the finalizer. If that program no longer exists, check which resources would leak, then remove the finalizer.',
  },
  DeletionRunning: {
    urgency: 'wait',
    state: 'progress',
    means: 'The controller is deleting the object.',
    remedy: 'Wait for the deletion to finish. If it does not finish, check the logs of the controller.',
  },
  DriversNotInstalled: {
    urgency: 'act',
    state: 'blocked',
    means: 'The driver operator cannot install or update the vSphere drivers.',
    remedy: 'Correct what the condition names: the connection, its credentials or the version.',
  },
  ProviderNotInstalled: {
    urgency: 'act',
    state: 'blocked',
    means: 'The provider operator cannot install or upgrade a provider.',
    remedy: 'Correct the provider object as the condition describes.',
  },
  OperatorDegraded: {
    urgency: 'act',
    state: 'failing',
    means: 'The OpenShift cluster operator or a migrated object reports an error.',
    remedy: 'Fix the problem that the condition describes.',
  },
  NoControllerActs: {
    urgency: 'act',
    state: 'blocked',
    means: 'No controller has reconciled the object: it has neither a status nor a finalizer.',
    remedy:
      'Check that the controllers are running, that they watch this namespace, and that no watch filter excludes the object.',
  },
  InProgress: {
    urgency: 'wait',
    state: 'progress',
    means: 'Work is in progress: Machines are being added, removed or replaced, or a condition changed only recently.',
    remedy: 'Wait, then run the command again.',
  },
  ConditionNotMet: {
    urgency: 'act',
    state: 'blocked',
    means: 'A condition of the object is not met, and none of its dependencies explains why.',
    remedy: 'Read the message of the condition, and look up its reason on the condition reasons page.',
  },
} as const satisfies Readonly<Record<string, Cause>>;

export type CauseName = keyof typeof causes;
