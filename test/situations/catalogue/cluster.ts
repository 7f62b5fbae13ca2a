import type { Situation } from '../situation.js';

const extension =
  'failed to call extension handler "generate-patches.example": http call failed: connect ECONNREFUSED 10.96.0.9:443';
const yaml = 'kubectl get cluster/$name -n $namespace -o yaml';

const topology = { topology: { classRef: { name: '$name-class' }, version: 'v1.35.0' } } as const;
const references = {
  infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: '$name' },
  controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: '$name' },
} as const;
const clusterClass = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'ClusterClass',
  metadata: { name: '$name-class' },
  spec: {},
  status: { conditions: ['VariablesReady=True VariablesReady:'] },
} as const;

function topologyState(
  name: string,
  condition: string,
  expected: Pick<Situation['expect'], 'cause' | 'state' | 'exitCode'>,
  next = yaml,
  stage: Situation['stage'] = 'starting',
): Situation {
  return {
    name,
    stage,
    objects: [clusterClass],
    broken: [
      { on: 'Cluster', spec: { ...references, ...topology }, conditions: [`TopologyReconciled=False ${condition}`] },
    ],
    expect: { ...expected, object: 'Cluster', next },
  };
}

function resources(name: string, condition: string, expected: Pick<Situation['expect'], 'cause' | 'state'>): Situation {
  return {
    name,
    stage: 'available',
    objects: [
      {
        apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
        kind: 'ClusterResourceSet',
        metadata: { name: 'storage' },
        spec: {
          clusterSelector: { matchExpressions: [{ key: 'cni', operator: 'In', values: ['calico'] }] },
          resources: [],
        },
        status: { conditions: [condition] },
      },
    ],
    broken: [],
    expect: {
      ...expected,
      object: 'ClusterResourceSet/=storage',
      exitCode: 1,
      next: 'kubectl get clusterresourceset/storage -n $namespace -o yaml',
    },
  };
}

/** ClusterClasses, runtime extensions and add-ons. */
export const topologySituations: readonly Situation[] = [
  topologyState(
    'a patch of the ClusterClass fails while machines start',
    'ReconcileFailed: failed to apply patch "proxy": path not found',
    { cause: 'TopologyFailed', state: 'failing', exitCode: 1 },
  ),
  topologyState(
    'a runtime extension does not respond',
    `ReconcileFailed: ${extension}`,
    { cause: 'ExtensionUnavailable', state: 'failing', exitCode: 1 },
    'kubectl get extensionconfigs -o yaml',
  ),
  topologyState(
    'a runtime extension does not respond during an upgrade',
    `ReconcileFailed: ${extension}`,
    { cause: 'ExtensionUnavailable', state: 'failing', exitCode: 1 },
    'kubectl get extensionconfigs -o yaml',
    'available',
  ),
  topologyState(
    'a lifecycle hook blocks an upgrade',
    'ClusterUpgrading: Following hooks are blocking upgrade: BeforeClusterUpgrade: change freeze',
    { cause: 'LifecycleHookBlocks', state: 'held', exitCode: 6 },
    yaml,
    'available',
  ),
  topologyState(
    'an annotation defers the upgrade of workers',
    'MachineDeploymentsUpgradeDeferred: MachineDeployment workers upgrade deferred',
    { cause: 'UpgradeHeld', state: 'held', exitCode: 1 },
    `${yaml} | grep -e topology.cluster.x-k8s.io/defer-upgrade -e topology.cluster.x-k8s.io/hold-upgrade-sequence`,
    'available',
  ),
  {
    name: 'the variables of a ClusterClass cannot be discovered',
    stage: 'new',
    objects: [
      { ...clusterClass, status: { conditions: [`VariablesReady=False VariableDiscoveryFailed: ${extension}`] } },
    ],
    broken: [
      {
        on: 'Cluster',
        spec: { ...references, ...topology },
        conditions: ['TopologyReconciled=False ClusterClassNotReconciled: ClusterClass is not reconciled'],
      },
    ],
    expect: {
      cause: 'ExtensionUnavailable',
      state: 'failing',
      object: 'ClusterClass/class',
      exitCode: 1,
      next: 'kubectl get extensionconfigs -o yaml',
    },
  },
  resources(
    'the manifest of an add-on is rejected by the workload cluster',
    'ResourcesApplied=False NotApplied: Failed to apply ClusterResourceSet resources to Cluster $name: no matches for kind Network',
    { cause: 'AddOnNotApplied', state: 'failing' },
  ),
  resources(
    'a Secret of an add-on has another type',
    'ResourcesApplied=False WrongSecretType: Secret type of resource calico is not supported',
    { cause: 'AddOnSecretType', state: 'blocked' },
  ),
  resources(
    'an add-on fails on this cluster and on another one',
    'ResourcesApplied=False NotApplied: * Failed to apply ClusterResourceSet resources to Cluster other: denied\n* Failed to apply ClusterResourceSet resources to Cluster $name: denied',
    { cause: 'AddOnNotApplied', state: 'failing' },
  ),
];

const deletingObject = { deletingForMinutes: 25 } as const;

/** References, pauses and deletions. */
export const clusterSituations: readonly Situation[] = [
  {
    name: 'the Cluster is paused',
    stage: 'available',
    broken: [{ on: 'Cluster', spec: { ...references, paused: true } }],
    expect: {
      cause: 'ClusterPaused',
      state: 'held',
      object: 'Cluster',
      exitCode: 1,
      next: `kubectl patch cluster/$name -n $namespace --type merge -p '{"spec":{"paused":null}}'`,
    },
  },
  {
    name: 'a Machine is paused by an annotation while it starts',
    stage: 'starting',
    broken: [{ on: 'Machine/control-plane', annotations: { 'cluster.x-k8s.io/paused': '' } }],
    expect: {
      cause: 'ObjectPaused',
      state: 'held',
      object: 'Machine/control-plane',
      exitCode: 1,
      next: 'kubectl annotate machine/$name-control-plane -n $namespace cluster.x-k8s.io/paused-',
    },
  },
  {
    name: 'the infrastructure of a Cluster does not exist',
    stage: 'new',
    broken: [
      { on: 'Cluster', spec: { ...references, infrastructureRef: { ...references.infrastructureRef, name: 'typo' } } },
    ],
    expect: {
      cause: 'ReferenceMissing',
      state: 'blocked',
      object: 'Cluster',
      exitCode: 1,
      next: 'kubectl get devcluster -n $namespace',
    },
  },
  {
    name: 'the infrastructure of a worker was deleted',
    stage: 'available',
    broken: [
      { on: 'DevMachine/worker', removed: true },
      {
        on: 'Machine/worker',
        status: { initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true } },
        conditions: ['InfrastructureReady=False ObjectDeleted: DevMachine has been deleted'],
      },
    ],
    expect: {
      cause: 'InfrastructureGone',
      state: 'blocked',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl delete machine/$name-worker -n $namespace',
    },
  },
  {
    name: 'the provider of a referenced kind is not installed',
    stage: 'new',
    broken: [
      {
        on: 'Cluster',
        spec: {
          ...references,
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'FogCluster', name: '$name' },
        },
      },
    ],
    expect: {
      cause: 'KindNotInstalled',
      state: 'blocked',
      object: 'Cluster',
      exitCode: 1,
      next: 'kubectl get crd fogclusters.infrastructure.cluster.x-k8s.io',
    },
  },
  {
    name: 'a foreign finalizer blocks the deletion of a Cluster',
    stage: 'deleting',
    broken: [
      {
        on: 'MachineDeployment',
        ...deletingObject,
        finalizers: ['backup.example.com/keep'],
      },
    ],
    subject: 'MachineDeployment/workers',
    expect: {
      cause: 'ForeignFinalizer',
      state: 'blocked',
      object: 'MachineDeployment/workers',
      exitCode: 1,
      next: 'slipway unblock machinedeployment/$name-workers -n $namespace --dry-run',
    },
  },
  {
    name: 'the infrastructure of a deleted Machine is being removed',
    stage: 'available',
    broken: [
      { on: 'DevMachine/worker', ...deletingObject, finalizers: ['devmachine.infrastructure.cluster.x-k8s.io'] },
      {
        on: 'Machine/worker',
        ...deletingObject,
        finalizers: ['machine.cluster.x-k8s.io'],
        conditions: ['Deleting=True WaitingForInfrastructureDeletion: DevMachine deletion in progress'],
      },
    ],
    subject: 'Machine/worker',
    expect: {
      cause: 'DeletionRunning',
      state: 'progress',
      object: 'DevMachine/worker',
      exitCode: 6,
      next: 'kubectl describe devmachine/$name-worker -n $namespace',
    },
  },
  {
    name: 'a provider of another vendor denies a machine',
    stage: 'starting',
    broken: [
      {
        on: 'DevMachine/control-plane',
        conditions: ['VMProvisioned=False FogDenied: quota of 4 instances reached'],
        deprecated: ['VMProvisioned=False Error FogDenied: quota of 4 instances reached'],
      },
    ],
    expect: {
      cause: 'InfrastructureMisconfigured',
      state: 'blocked',
      object: 'DevMachine/control-plane',
      exitCode: 1,
      next: 'kubectl describe devmachine/$name-control-plane -n $namespace',
    },
  },
];
