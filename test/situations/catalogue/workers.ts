import type { Situation } from '../situation.js';

const check = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { name: 'check', labels: { 'cluster.x-k8s.io/cluster-name': '$name' } },
  spec: { clusterName: '$name' },
};

const drain = {
  deletingForMinutes: 12,
  finalizers: ['machine.cluster.x-k8s.io'],
} as const;

/** Workers, health checks, pools and drains. */
export const workerSituations: readonly Situation[] = [
  {
    name: 'the version of the workers is newer than that of the control plane',
    stage: 'available',
    broken: [
      {
        on: 'MachineSet',
        spec: { clusterName: '$name', replicas: 2 },
        conditions: [
          'ScalingUp=True ScalingUp: Scaling up from 1 to 2 replicas is blocked because:\n* MachineSet version (v1.36.0) and ControlPlane version (v1.35.0) do not conform to the kubernetes version skew policy ("KubernetesVersionSkew" preflight check failed)',
        ],
      },
      { on: 'MachineDeployment', conditions: ['Available=False NotAvailable: 1 of 2'] },
    ],
    expect: {
      cause: 'PreflightFailed',
      state: 'blocked',
      object: 'MachineSet/workers',
      exitCode: 1,
      next: `kubectl patch machinedeployment/$name-workers -n $namespace --type merge -p '{"spec":{"template":{"spec":{"version":"v1.35.0"}}}}'`,
    },
  },
  {
    name: 'the creation of Machines is disabled',
    stage: 'available',
    broken: [
      {
        on: 'MachineSet',
        spec: { clusterName: '$name', replicas: 2 },
        annotations: { 'cluster.x-k8s.io/disable-machine-create': 'true' },
        conditions: ['ScalingUp=True ScalingUp: Scaling up from 1 to 2 replicas'],
      },
      { on: 'MachineDeployment', conditions: ['Available=False NotAvailable: 1 of 2'] },
    ],
    expect: {
      cause: 'MachineCreationDisabled',
      state: 'held',
      object: 'MachineSet/workers',
      exitCode: 1,
      next: 'kubectl annotate machineset/$name-workers -n $namespace cluster.x-k8s.io/disable-machine-create-',
    },
  },
  {
    name: 'a webhook is down while workers are added',
    stage: 'available',
    broken: [
      {
        on: 'MachineSet',
        spec: { clusterName: '$name', replicas: 2 },
        conditions: ['ScalingUp=True ScalingUp: Scaling up from 1 to 2 replicas'],
        deprecated: [
          'MachinesCreated=False Error MachineCreationFailed: failed calling webhook "machines.policy.example": connect ECONNREFUSED',
        ],
      },
      { on: 'MachineDeployment', conditions: ['Available=False NotAvailable: 1 of 2'] },
    ],
    warnings: [{ on: 'MachineSet', reason: 'FailedCreate', message: 'failed calling webhook', count: 14 }],
    expect: {
      cause: 'WebhookUnavailable',
      state: 'failing',
      object: 'MachineSet/workers',
      exitCode: 1,
      next: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
    },
  },
  {
    name: 'a Node is not ready',
    stage: 'available',
    broken: [{ on: 'Machine/worker', conditions: ['NodeHealthy=False NodeNotHealthy: Node.Ready: KubeletNotReady'] }],
    expect: {
      cause: 'NodeUnhealthy',
      state: 'failing',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'slipway timeline $name -n $namespace',
    },
  },
  {
    name: 'the Node of a worker was deleted',
    stage: 'available',
    broken: [
      { on: 'Machine/worker', conditions: ['NodeHealthy=False NodeDeleted: Node demo-worker has been deleted'] },
    ],
    expect: {
      cause: 'NodeGone',
      state: 'blocked',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl delete machine/$name-worker -n $namespace',
    },
  },
  {
    name: 'a health check may not remediate so many Machines',
    stage: 'available',
    objects: [
      { ...check, status: { conditions: ['RemediationAllowed=False TooManyUnhealthy: 2 of 2 are unhealthy'] } },
    ],
    broken: [],
    subject: 'MachineHealthCheck/check',
    expect: {
      cause: 'RemediationNotAllowed',
      state: 'blocked',
      object: 'MachineHealthCheck/=check',
      exitCode: 1,
      next: 'kubectl get machines -n $namespace',
    },
  },
  {
    name: 'an unhealthy Machine cannot be remediated',
    stage: 'available',
    broken: [
      {
        on: 'Machine/worker',
        conditions: [
          'HealthCheckSucceeded=False UnhealthyNode: Node.Ready is False for 300s',
          'OwnerRemediated=False CannotBeRemediated: the Machine has no controller owner',
        ],
      },
    ],
    expect: {
      cause: 'RemediationFailed',
      state: 'blocked',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl get machinehealthchecks -n $namespace',
    },
  },
  {
    name: 'a PodDisruptionBudget blocks a drain',
    stage: 'available',
    broken: [
      {
        on: 'Machine/worker',
        ...drain,
        conditions: ['Deleting=True DrainingNode: Drain not completed yet:\n* Pod default/web: cannot evict pod'],
      },
    ],
    subject: 'Machine/worker',
    expect: {
      cause: 'DrainBlocked',
      state: 'blocked',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl annotate machine/$name-worker -n $namespace machine.cluster.x-k8s.io/exclude-node-draining=',
    },
  },
  {
    name: 'volumes stay attached to the Node of a deleted Machine',
    stage: 'available',
    broken: [
      {
        on: 'Machine/worker',
        ...drain,
        conditions: ['Deleting=True WaitingForVolumeDetach: Waiting for Node volumes to be detached'],
      },
    ],
    subject: 'Machine/worker',
    expect: {
      cause: 'VolumesAttached',
      state: 'blocked',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl annotate machine/$name-worker -n $namespace machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach=',
    },
  },
  {
    name: 'a pre-drain hook holds the deletion of a Machine',
    stage: 'available',
    broken: [
      {
        on: 'Machine/worker',
        ...drain,
        annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': 'velero' },
        conditions: ['Deleting=True WaitingForPreDrainHook: Waiting for pre-drain hooks'],
      },
    ],
    subject: 'Machine/worker',
    expect: {
      cause: 'DeletionHook',
      state: 'held',
      object: 'Machine/worker',
      exitCode: 1,
      next: 'kubectl annotate machine/$name-worker -n $namespace pre-drain.delete.hook.machine.cluster.x-k8s.io/backup-',
    },
  },
  {
    name: 'the infrastructure of a MachinePool does not exist',
    stage: 'available',
    objects: [
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachinePool',
        metadata: { name: 'pool', labels: { 'cluster.x-k8s.io/cluster-name': '$name' } },
        spec: {
          clusterName: '$name',
          replicas: 1,
          template: {
            spec: {
              bootstrap: { dataSecretName: 'none' },
              infrastructureRef: {
                apiGroup: 'infrastructure.cluster.x-k8s.io',
                kind: 'DevMachine',
                name: 'pool',
              },
            },
          },
        },
        status: { conditions: ['InfrastructureReady=False ObjectDoesNotExist: DevMachine pool does not exist'] },
      },
    ],
    broken: [],
    expect: {
      cause: 'ReferenceMissing',
      state: 'blocked',
      object: 'MachinePool/=pool',
      exitCode: 1,
      next: 'kubectl get devmachine -n $namespace',
    },
  },
];
