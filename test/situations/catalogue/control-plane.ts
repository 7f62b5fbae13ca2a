import type { Situation } from '../situation.js';

const webhook =
  'Internal error occurred: failed calling webhook "machines.policy.example": failed to call webhook: connect ECONNREFUSED 10.96.0.7:443';
const webhooks = 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations';
const kubeconfig =
  'slipway get kubeconfig $name -n $namespace > /tmp/kubeconfig && kubectl --kubeconfig /tmp/kubeconfig get pods -n kube-system';
const readyz =
  'slipway get kubeconfig $name -n $namespace > /tmp/kubeconfig && kubectl --kubeconfig /tmp/kubeconfig get --raw /readyz';
const secrets = 'kubectl get secrets -n $namespace -l cluster.x-k8s.io/cluster-name=$name';

/** The control plane, its certificates, its etcd cluster and the connection to it. */
export const controlPlaneSituations: readonly Situation[] = [
  {
    name: 'a webhook is down while the first control plane machine is created',
    stage: 'starting',
    broken: [
      { on: 'Machine/control-plane', removed: true },
      { on: 'DevMachine/control-plane', removed: true },
      { on: 'KubeadmConfig/control-plane', removed: true },
      {
        on: 'KubeadmControlPlane',
        conditions: ['ScalingUp=True ScalingUp: Scaling up from 0 to 1 replicas'],
        deprecated: [`MachinesCreated=False Error MachineGenerationFailed: ${webhook}`],
      },
    ],
    expect: {
      cause: 'WebhookUnavailable',
      state: 'failing',
      object: 'KubeadmControlPlane',
      exitCode: 1,
      next: webhooks,
    },
  },
  {
    name: 'a quota rejects a control plane machine',
    stage: 'starting',
    broken: [
      { on: 'Machine/control-plane', removed: true },
      { on: 'DevMachine/control-plane', removed: true },
      { on: 'KubeadmConfig/control-plane', removed: true },
      {
        on: 'KubeadmControlPlane',
        deprecated: ['MachinesCreated=False Error MachineGenerationFailed: exceeded quota: machines=10'],
      },
    ],
    expect: {
      cause: 'MachineCreationRejected',
      state: 'failing',
      object: 'KubeadmControlPlane',
      exitCode: 1,
      next: 'kubectl describe kubeadmcontrolplane/$name -n $namespace',
    },
  },
  {
    name: 'the Secret of the cluster CA was deleted',
    stage: 'available',
    broken: [
      { on: 'Secret/ca', removed: true },
      {
        on: 'KubeadmControlPlane',
        conditions: ['CertificatesAvailable=False CertificatesNotAvailable: certificate ca is missing'],
      },
    ],
    expect: { cause: 'CertificatesMissing', state: 'blocked', object: 'Secret/ca', exitCode: 1, next: secrets },
  },
  {
    name: 'the Secret of the service account key was deleted, and the control plane has not noticed',
    stage: 'available',
    broken: [{ on: 'Secret/sa', removed: true }],
    expect: { cause: 'CertificatesMissing', state: 'blocked', object: 'Secret/sa', exitCode: 1, next: secrets },
  },
  {
    name: 'an etcd member was removed by hand',
    stage: 'available',
    broken: [
      {
        on: 'Machine/control-plane',
        conditions: [
          "EtcdMemberHealthy=False NotHealthy: Etcd doesn't have an etcd member for Node $name-control-plane",
        ],
      },
      {
        on: 'KubeadmControlPlane',
        conditions: ['EtcdClusterHealthy=False NotHealthy: 1 of 3 members is not healthy'],
      },
    ],
    expect: {
      cause: 'EtcdUnhealthy',
      state: 'failing',
      object: 'Machine/control-plane',
      exitCode: 1,
      next: kubeconfig,
    },
  },
  {
    // Without quorum, the API server of the workload cluster does not respond, so the state of etcd cannot be read.
    name: 'etcd lost its quorum',
    stage: 'available',
    broken: [
      {
        on: 'Cluster',
        conditions: ['RemoteConnectionProbe=False ProbeFailed: Remote connection probe failed: connect ECONNREFUSED'],
      },
      {
        on: 'KubeadmControlPlane',
        conditions: [
          'Available=Unknown AvailableUnknown: the state of etcd is unknown',
          'EtcdClusterHealthy=Unknown ConnectionDown: Connection is down',
        ],
      },
    ],
    expect: { cause: 'WorkloadUnreachable', state: 'failing', object: 'Cluster', exitCode: 1, next: readyz },
  },
  {
    name: 'the API server of a control plane machine fails',
    stage: 'available',
    broken: [
      {
        on: 'Machine/control-plane',
        conditions: ['APIServerPodHealthy=False Provisioning: CrashLoopBackOff'],
      },
      {
        on: 'KubeadmControlPlane',
        conditions: [
          'Available=False NotAvailable: no healthy API server',
          'ControlPlaneComponentsHealthy=False NotHealthy: APIServerPodHealthy: CrashLoopBackOff',
        ],
      },
    ],
    expect: {
      cause: 'ComponentsUnhealthy',
      state: 'failing',
      object: 'Machine/control-plane',
      exitCode: 1,
      next: kubeconfig,
    },
  },
  {
    name: 'the workload cluster is unreachable',
    stage: 'available',
    broken: [
      {
        on: 'Cluster',
        conditions: ['RemoteConnectionProbe=False ProbeFailed: Remote connection probe failed: connect ETIMEDOUT'],
      },
    ],
    expect: {
      cause: 'WorkloadUnreachable',
      state: 'failing',
      object: 'Cluster',
      exitCode: 1,
      next: readyz,
    },
  },
  {
    name: 'the kubeconfig Secret was deleted',
    stage: 'available',
    broken: [
      { on: 'Secret/kubeconfig', removed: true },
      { on: 'Cluster', conditions: ['RemoteConnectionProbe=False ProbeFailed: Secret demo-kubeconfig not found'] },
    ],
    expect: { cause: 'KubeconfigMissing', state: 'blocked', object: 'Secret/kubeconfig', exitCode: 1, next: secrets },
  },
  {
    name: 'the bootstrap data of a machine cannot be generated',
    stage: 'starting',
    broken: [
      {
        on: 'KubeadmConfig/control-plane',
        conditions: ['DataSecretAvailable=False DataSecretGenerationFailed: Secret files not found'],
      },
    ],
    expect: {
      cause: 'BootstrapDataFailed',
      state: 'failing',
      object: 'KubeadmConfig/control-plane',
      exitCode: 1,
      next: 'kubectl get kubeadmconfig/$name-control-plane -n $namespace -o yaml',
    },
  },
];
