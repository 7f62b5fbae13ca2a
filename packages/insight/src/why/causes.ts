/** Whether somebody has to do something, or it comes by itself. */
export type Urgency = 'act' | 'wait';

/** One way in which things come to a halt. The reference page is written from this table. */
export interface Cause {
  readonly urgency: Urgency;
  readonly means: string;
  readonly remedy: string;
}

/** Every cause that is told apart, from the ground up: what stands first hinders what stands below it. */
export const causes = {
  NamespaceTerminating: {
    urgency: 'act',
    means: 'The namespace is being deleted: nothing new can be made in it.',
    remedy: 'Find what holds the namespace, or use another one.',
  },
  ClusterMissing: {
    urgency: 'act',
    means: 'The object names a Cluster that does not exist.',
    remedy: 'Create the Cluster, correct the name, or delete the object.',
  },
  KindNotInstalled: {
    urgency: 'act',
    means: 'An object of a kind is referred to that the server does not know.',
    remedy: 'Install the provider that brings the kind, or correct the reference.',
  },
  ContractMissing: {
    urgency: 'act',
    means:
      'The definition of a kind does not say which contract of Cluster API it fulfils, so nobody may read its objects.',
    remedy: 'Install a version of the provider whose definitions carry the label cluster.x-k8s.io/<contract>.',
  },
  ReferenceMissing: {
    urgency: 'act',
    means: 'An object is referred to that does not exist.',
    remedy: 'Create it, or correct the reference.',
  },
  InfrastructureGone: {
    urgency: 'act',
    means: 'The infrastructure object was there and has been deleted under its owner.',
    remedy: 'A machine is replaced by deleting it; the infrastructure of a whole cluster must be created again.',
  },
  ClusterPaused: {
    urgency: 'act',
    means: 'The Cluster is paused: no controller touches it or anything that belongs to it.',
    remedy: 'Let it go on, unless somebody paused it for a reason, such as a move that is under way.',
  },
  ObjectPaused: {
    urgency: 'act',
    means: 'The object carries the annotation cluster.x-k8s.io/paused: its controller leaves it alone.',
    remedy: 'Remove the annotation, unless somebody put it there for a reason.',
  },
  RolloutPaused: {
    urgency: 'act',
    means: 'The MachineDeployment is paused: it scales, but does not roll out its template.',
    remedy: 'Resume the rollout.',
  },
  RolloutLater: {
    urgency: 'wait',
    means: 'spec.rollout.after lies in the future: machines are replaced from then on.',
    remedy: 'Wait, or set an earlier time.',
  },
  RolloutOnDelete: {
    urgency: 'act',
    means: 'With the strategy OnDelete old machines are replaced when somebody deletes them.',
    remedy: 'Delete the machines that are not up to date, one after another.',
  },
  ExternallyManaged: {
    urgency: 'wait',
    means:
      'The infrastructure carries the annotation cluster.x-k8s.io/managed-by: somebody else sets it up and reports it.',
    remedy: 'Look at whoever manages it; its controller must set status.initialization.provisioned.',
  },
  ClassMissing: {
    urgency: 'act',
    means: 'The topology of the Cluster names a ClusterClass that does not exist.',
    remedy: 'Create the class, or correct spec.topology.classRef.',
  },
  ClassNotReady: {
    urgency: 'act',
    means: 'The ClusterClass is not reconciled, so no Cluster can be made from it.',
    remedy: 'Correct what its conditions say.',
  },
  TopologyFailed: {
    urgency: 'act',
    means: 'The objects that the topology wants could not be computed or written.',
    remedy: 'Correct the class, its templates and patches, or the variables of the Cluster, as the message says.',
  },
  UpgradeHeld: {
    urgency: 'act',
    means: 'An annotation holds the upgrade of workers back.',
    remedy: 'Remove the annotation when they may be upgraded.',
  },
  LifecycleHookBlocks: {
    urgency: 'wait',
    means: 'A runtime extension or an annotation asked to wait before the next step in the life of the Cluster.',
    remedy: 'Look at the extension that blocks; it is asked again by itself.',
  },
  CertificatesMissing: {
    urgency: 'act',
    means:
      'A certificate authority of the cluster is not there. It is never made anew once the cluster runs, since nobody would trust it.',
    remedy: 'Put the Secret back from a backup.',
  },
  CertificatesUnusable: {
    urgency: 'act',
    means: 'A Secret that should hold a certificate authority holds none that can be used.',
    remedy:
      'Replace it by a Secret with tls.crt and tls.key that belong together, or delete it before the cluster is initialized to have one made.',
  },
  InfrastructureNotReady: {
    urgency: 'wait',
    means: 'The infrastructure provider has not finished, and says why.',
    remedy: 'Do what the message says; else look into the log of the provider.',
  },
  MachineStartsUp: {
    urgency: 'wait',
    means: 'The machine is being made or boots.',
    remedy: 'Wait.',
  },
  BootstrapDataFailed: {
    urgency: 'act',
    means: 'The bootstrap data of a machine cannot be made from what its configuration says.',
    remedy: 'Correct the configuration, or what it refers to, as the message says.',
  },
  NodeNotRegistered: {
    urgency: 'wait',
    means: 'The machine runs, but no Node with its provider ID has joined the cluster.',
    remedy:
      'Look at the console of the machine: cloud-init and kubelet tell why; compare the provider ID that the Node reports.',
  },
  NodeGone: {
    urgency: 'act',
    means: 'The Node of the machine was there and has been deleted.',
    remedy: 'Delete the Machine to have it replaced.',
  },
  NodeUnhealthy: {
    urgency: 'act',
    means: 'The Node is there, but kubelet reports it as not ready or under pressure, or no longer reports.',
    remedy: 'Look at the Node; a MachineHealthCheck replaces such machines by itself.',
  },
  KubeconfigMissing: {
    urgency: 'act',
    means: 'The Secret with the kubeconfig of the workload cluster is not there.',
    remedy: 'The control plane provider makes it; put it back if it was deleted.',
  },
  KubeconfigNotLabelled: {
    urgency: 'act',
    means:
      'The Secret with the kubeconfig has no label with the name of the cluster, without which controllers do not see it.',
    remedy: 'Label it.',
  },
  WorkloadUnreachable: {
    urgency: 'act',
    means: 'The API server of the workload cluster does not answer the management plane.',
    remedy:
      'Check the endpoint, its load balancer and the network between; the machines of its control plane are well as far as is known.',
  },
  EtcdUnhealthy: {
    urgency: 'act',
    means:
      'etcd of the workload cluster is not healthy. Machines of the control plane are neither added nor removed until it is.',
    remedy:
      'Look at the members that the message names; never remove one by hand while fewer than a majority are healthy.',
  },
  ComponentsUnhealthy: {
    urgency: 'act',
    means: 'Components of the control plane do not run as they should.',
    remedy: 'Look at the pods in kube-system that the message names.',
  },
  PreflightFailed: {
    urgency: 'act',
    means: 'Checks before machines are made failed: the machines would not fit the control plane.',
    remedy: 'Bring the versions together as the message says, or skip a check by annotation.',
  },
  MachineCreationDisabled: {
    urgency: 'act',
    means: 'The MachineSet is not to make machines: it carries the annotation cluster.x-k8s.io/disable-machine-create.',
    remedy: 'Remove the annotation.',
  },
  MachineCreationRejected: {
    urgency: 'act',
    means: 'The server refuses the objects that make up a machine: a policy, a quota or a rule of their kind.',
    remedy: 'Change what the message names: the policy, or the template.',
  },
  MachineUnhealthy: {
    urgency: 'wait',
    means: 'A health check found the machine unhealthy, and its owner is to replace it.',
    remedy: 'Wait for the replacement; if it is deferred, the message says by what.',
  },
  RemediationNotAllowed: {
    urgency: 'act',
    means: 'More machines are unhealthy than the MachineHealthCheck may replace at once, so it replaces none.',
    remedy: 'Find what they have in common; then repair them, or raise spec.remediation.triggerIf for the time being.',
  },
  RemediationFailed: {
    urgency: 'act',
    means: 'An unhealthy machine cannot be replaced by itself.',
    remedy: 'Read the message; delete the Machine by hand when it is safe.',
  },
  AddressesExhausted: {
    urgency: 'act',
    means: 'The address pool has no free address left.',
    remedy: 'Add addresses to the pool, or release some.',
  },
  AddressPoolNotReady: {
    urgency: 'act',
    means: 'The address pool is missing or cannot be used.',
    remedy: 'Create or correct the pool.',
  },
  AddOnResourceMissing: {
    urgency: 'act',
    means: 'A ClusterResourceSet names a ConfigMap or Secret that does not exist.',
    remedy: 'Create it, or take it out of the set.',
  },
  AddOnSecretType: {
    urgency: 'act',
    means: 'A ClusterResourceSet may only apply Secrets of the type addons.cluster.x-k8s.io/resource-set.',
    remedy: 'Create the Secret again with that type; the type of a Secret cannot be changed.',
  },
  AddOnNotApplied: {
    urgency: 'act',
    means: 'The resources of a ClusterResourceSet could not be applied to a cluster.',
    remedy: 'Correct the manifest that the message names.',
  },
  DeletionHook: {
    urgency: 'act',
    means: 'An annotation holds the deletion of the Machine until whoever put it there takes it away.',
    remedy: 'Look at the program that the hook belongs to; remove the annotation if it is gone.',
  },
  DrainBlocked: {
    urgency: 'act',
    means: 'Pods cannot be moved off the Node, so the Machine is not deleted.',
    remedy: 'Look at the pods and budgets that the message names; a drain timeout or an annotation ends the wait.',
  },
  VolumesAttached: {
    urgency: 'act',
    means: 'Volumes are still attached to the Node, so the Machine is not deleted.',
    remedy: 'Look at the volumes that the message names and at the storage driver of the cluster.',
  },
  ForeignFinalizer: {
    urgency: 'act',
    means: 'A finalizer that is not of Cluster API keeps the object from going.',
    remedy: 'Look at the program that it belongs to; if it is gone, see what would leak and remove the finalizer.',
  },
  DeletionRunning: {
    urgency: 'wait',
    means: 'The object is being deleted by its controller.',
    remedy: 'Wait; if it lasts, look into the log of the controller.',
  },
  NobodyActs: {
    urgency: 'act',
    means: 'No controller has looked at the object: it has neither a status nor a finalizer.',
    remedy: 'Check that the controllers run, that they watch this namespace, and that no watch filter leaves it out.',
  },
  InProgress: {
    urgency: 'wait',
    means:
      'Work is under way: machines are added, removed or replaced, or a condition has not had the time to become true.',
    remedy: 'Wait, and ask again.',
  },
  ConditionNotMet: {
    urgency: 'act',
    means: 'A condition is not as it should be, and nothing below it explains why.',
    remedy: 'Read its message; the page of condition reasons says more.',
  },
} as const satisfies Readonly<Record<string, Cause>>;

export type CauseName = keyof typeof causes;
