import type { ShownCondition, TreeNode } from '@slipway/insight';

const namespace = 'default';
const version = 'v1.35.0';
/** Five minutes after the sample was taken. */
export const sampleNowMs = Date.UTC(2026, 0, 1, 0, 5);
const at = '2026-01-01T00:00:00Z';

const condition = (type: string, status: ShownCondition['status'], reason: string, message = ''): ShownCondition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: at,
});

const workerMessage = `* NodeHealthy:
  * Node.Ready: kubelet stopped posting node status, and nobody has heard of it for a while now
* HealthCheckSucceeded: Health check failed`;

/** A cluster with an unhealthy worker and a worker that is being deleted. */
export const sampleTree: TreeNode = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  namespace,
  name: 'demo',
  counters: { replicas: '6/6', available: 4, ready: 4, upToDate: 6 },
  condition: condition(
    'Available',
    'False',
    'NotAvailable',
    '* WorkersAvailable:\n  * MachineDeployment demo-workers: 1 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3)',
  ),
  children: [
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevCluster',
      namespace,
      name: 'demo',
      role: 'ClusterInfrastructure',
      counters: {},
      condition: condition('Ready', 'True', 'Ready'),
      children: [],
    },
    {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      namespace,
      name: 'demo',
      role: 'ControlPlane',
      version,
      counters: { replicas: '3/3', available: 3, ready: 3, upToDate: 3 },
      condition: condition('Available', 'True', 'Available'),
      conditions: [
        condition('Available', 'True', 'Available'),
        condition('EtcdClusterHealthy', 'Unknown', 'InspectionFailed', 'Failed to connect\nto etcd'),
        condition('ScalingUp', 'False', 'NotScalingUp'),
      ],
      children: [
        {
          kind: 'Machine',
          namespace,
          name: '',
          group: ['demo-5jchf', 'demo-9n2qb', 'demo-fkk7q'],
          counters: { available: 3, ready: 3, upToDate: 3 },
          condition: condition('Ready', 'True', 'Ready'),
          children: [],
        },
      ],
    },
    {
      kind: 'Workers',
      namespace,
      name: 'Workers',
      heading: true,
      counters: {},
      children: [
        {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'MachineDeployment',
          namespace,
          name: 'demo-workers',
          version,
          counters: { replicas: '3/3', available: 1, ready: 1, upToDate: 3 },
          condition: condition('Available', 'False', 'NotAvailable', '1 available replicas, at least 3 required'),
          children: [
            {
              apiVersion: 'cluster.x-k8s.io/v1beta2',
              kind: 'Machine',
              namespace,
              name: 'demo-workers-br6sr-jcz9x',
              version,
              deleting: true,
              counters: { replicas: '1', available: 0, ready: 0, upToDate: 1 },
              condition: condition('Ready', 'False', 'NotReady', '* Deleting: Machine deletion in progress, stage: DrainingNode'),
              children: [],
            },
            {
              apiVersion: 'cluster.x-k8s.io/v1beta2',
              kind: 'Machine',
              namespace,
              name: 'demo-workers-br6sr-ndcv4',
              version,
              counters: { replicas: '1', available: 0, ready: 0, upToDate: 1 },
              condition: condition('Ready', 'False', 'NotReady', workerMessage),
              children: [],
            },
            {
              apiVersion: 'cluster.x-k8s.io/v1beta2',
              kind: 'Machine',
              namespace,
              name: 'demo-workers-br6sr-x7k2p',
              version,
              counters: { replicas: '1', available: 1, ready: 1, upToDate: 1 },
              condition: condition('Ready', 'True', 'Ready'),
              children: [],
            },
          ],
        },
      ],
    },
  ],
};
