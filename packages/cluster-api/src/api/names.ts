/** Labels that Cluster API sets on its objects, on Nodes and on CRDs. */
export const labels = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  controlPlane: 'cluster.x-k8s.io/control-plane',
  controlPlaneName: 'cluster.x-k8s.io/control-plane-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  setName: 'cluster.x-k8s.io/set-name',
  poolName: 'cluster.x-k8s.io/pool-name',
  machineTemplateHash: 'machine-template-hash',
  topologyOwned: 'topology.cluster.x-k8s.io/owned',
  topologyDeploymentName: 'topology.cluster.x-k8s.io/deployment-name',
  topologyPoolName: 'topology.cluster.x-k8s.io/pool-name',
  provider: 'cluster.x-k8s.io/provider',
  watchFilter: 'cluster.x-k8s.io/watch-filter',
  interruptible: 'cluster.x-k8s.io/interruptible',
  drain: 'cluster.x-k8s.io/drain',
  aggregateToManager: 'cluster.x-k8s.io/aggregate-to-manager',
  clusterctl: 'clusterctl.cluster.x-k8s.io',
  clusterctlCore: 'clusterctl.cluster.x-k8s.io/core',
  clusterctlMove: 'clusterctl.cluster.x-k8s.io/move',
  clusterctlMoveHierarchy: 'clusterctl.cluster.x-k8s.io/move-hierarchy',
  nodeRoleControlPlane: 'node-role.kubernetes.io/control-plane',
} as const;

/** Prefix of the CRD labels that list the API versions for a contract: `cluster.x-k8s.io/v1beta2: v1beta2`. */
export const contractLabelPrefix = 'cluster.x-k8s.io/';

/** Labels and annotations of a Machine in these domains are synced to its Node. */
export const nodeLabelDomains = {
  role: 'node-role.kubernetes.io',
  restriction: 'node-restriction.kubernetes.io',
  managed: 'node.cluster.x-k8s.io',
} as const;

export const annotations = {
  paused: 'cluster.x-k8s.io/paused',
  managedBy: 'cluster.x-k8s.io/managed-by',
  deleteMachine: 'cluster.x-k8s.io/delete-machine',
  disableMachineCreate: 'cluster.x-k8s.io/disable-machine-create',
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  clonedFromName: 'cluster.x-k8s.io/cloned-from-name',
  clonedFromGroupKind: 'cluster.x-k8s.io/cloned-from-groupkind',
  replicasManagedBy: 'cluster.x-k8s.io/replicas-managed-by',
  autoscalerMinSize: 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size',
  autoscalerMaxSize: 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
  excludeNodeDraining: 'machine.cluster.x-k8s.io/exclude-node-draining',
  excludeWaitForNodeVolumeDetach: 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
  certificatesExpiry: 'machine.cluster.x-k8s.io/certificates-expiry',
  skipPreflightChecks: 'machineset.cluster.x-k8s.io/skip-preflight-checks',
  crdMigrationObservedGeneration: 'crd-migration.cluster.x-k8s.io/observed-generation',
} as const;

/** Annotations on Nodes: they refer to the Machine, and track which labels and annotations were synced. */
export const nodeAnnotations = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  clusterNamespace: 'cluster.x-k8s.io/cluster-namespace',
  machine: 'cluster.x-k8s.io/machine',
  ownerKind: 'cluster.x-k8s.io/owner-kind',
  ownerName: 'cluster.x-k8s.io/owner-name',
  labelsFromMachine: 'cluster.x-k8s.io/labels-from-machine',
  annotationsFromMachine: 'cluster.x-k8s.io/annotations-from-machine',
  taintsFromMachine: 'cluster.x-k8s.io/taints-from-machine',
} as const;

/** Prefixes of annotations that pause the deletion of a Machine at a step while they exist. */
export const deletionHookPrefixes = {
  preDrain: 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  preTerminate: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
} as const;

/** Annotations of upstream. Their domain starts with `clusters`, unlike the others. */
export const revisionAnnotations = {
  revision: 'machinedeployment.clusters.x-k8s.io/revision',
  revisionHistory: 'machinedeployment.clusters.x-k8s.io/revision-history',
  desiredReplicas: 'machinedeployment.clusters.x-k8s.io/desired-replicas',
  maxReplicas: 'machinedeployment.clusters.x-k8s.io/max-replicas',
} as const;

export const inPlaceUpdateAnnotations = {
  updateInProgress: 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress',
  pendingAcknowledgeMove: 'in-place-updates.internal.cluster.x-k8s.io/pending-acknowledge-move',
  moveMachinesToMachineSet: 'in-place-updates.internal.cluster.x-k8s.io/move-machines-to-machineset',
  receiveMachinesFromMachineSets: 'in-place-updates.internal.cluster.x-k8s.io/receive-machines-from-machinesets',
  acknowledgedMove: 'in-place-updates.internal.cluster.x-k8s.io/acknowledged-move',
} as const;

export const topologyAnnotations = {
  dryRun: 'topology.cluster.x-k8s.io/dry-run',
  holdUpgradeSequence: 'topology.cluster.x-k8s.io/hold-upgrade-sequence',
  deferUpgrade: 'topology.cluster.x-k8s.io/defer-upgrade',
  upgradeConcurrency: 'topology.cluster.x-k8s.io/upgrade-concurrency',
  upgradeStep: 'topology.internal.cluster.x-k8s.io/upgrade-step',
  disableUpdateClassNameCheck: 'unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check',
  disableUpdateVersionCheck: 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check',
} as const;

/** Prefix of annotations that block the upgrade of a topology. */
export const beforeUpgradeHookPrefix = 'before-upgrade.hook.cluster.cluster.x-k8s.io';

export const runtimeAnnotations = {
  pendingHooks: 'runtime.cluster.x-k8s.io/pending-hooks',
  okToDelete: 'runtime.cluster.x-k8s.io/ok-to-delete',
  injectCaFromSecret: 'runtime.cluster.x-k8s.io/inject-ca-from-secret',
} as const;

export const clusterctlAnnotations = {
  blockMove: 'clusterctl.cluster.x-k8s.io/block-move',
  deleteForMove: 'clusterctl.cluster.x-k8s.io/delete-for-move',
  skipCrdNamePreflightCheck: 'clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check',
  certManagerVersion: 'cert-manager.clusterctl.cluster.x-k8s.io/version',
} as const;

export const finalizers = {
  cluster: 'cluster.cluster.x-k8s.io',
  machine: 'machine.cluster.x-k8s.io',
  machineSet: 'cluster.x-k8s.io/machineset',
  machineDeployment: 'cluster.x-k8s.io/machinedeployment',
  machinePool: 'machinepool.cluster.x-k8s.io',
  clusterResourceSet: 'addons.cluster.x-k8s.io',
  machineSetTopology: 'machineset.topology.cluster.x-k8s.io',
  machineDeploymentTopology: 'machinedeployment.topology.cluster.x-k8s.io',
} as const;

/** Finalizers of the in-cluster address pools. */
export const ipamFinalizers = {
  protectPool: 'ipam.cluster.x-k8s.io/ProtectPool',
  releaseAddress: 'ipam.cluster.x-k8s.io/ReleaseAddress',
  protectAddress: 'ipam.cluster.x-k8s.io/ProtectAddress',
} as const;

export const nodeTaints = {
  uninitialized: { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
  outdatedRevision: { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' },
} as const;

export const secretTypes = {
  cluster: 'cluster.x-k8s.io/secret',
  resourceSet: 'addons.cluster.x-k8s.io/resource-set',
} as const;

/** Field managers of server-side apply. Labels and annotations have a separate one, so that they can be removed on their own. */
export const fieldManagers = {
  machineDeployment: 'capi-machinedeployment',
  machineSet: 'capi-machineset',
  machineSetMetadata: 'capi-machineset-metadata',
  topology: 'capi-topology',
} as const;
