import { expect, it } from 'vitest';
import { checkSituations, summaryOf } from './check-situations.js';
import {
  breakNode,
  foreignControlPlane,
  foreignMachine,
  healthCheck,
  noMoreMachines,
  patchInside,
} from './broken-machines.js';
import { clusterManifests, ref } from './manifests.js';
import {
  explainObject,
  available,
  isControlPlane,
  isWorker,
  firstOf,
  type Situation,
  untilCondition,
} from './situations.js';
import { startSimulatedPlane } from './simulated-plane.js';

const name = 'demo';
const hour = '1h';
/** After this time, a control plane machine no longer counts as joining. */
const joiningMs = 600_000;

const situations: readonly Situation[] = [
  {
    name: 'the first control plane machine is being created',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, startup: { vm: hour } }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'MachineStartsUp',
    root: /^DevMachine demo-/,
    reason: 'WaitingForStartupTimeout',
    message: /Waiting for the simulated startup/,
    next: /kubectl describe devmachine\/demo-/,
  },
  {
    name: 'workers wait for a control plane whose API server does not start',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, startup: { apiServer: hour } }));
      await plane.advance(60_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'MachineStartsUp',
    root: /^DevMachine demo-(?!workers)/,
    message: /Waiting for the simulated startup/,
    next: /kubectl describe devmachine\/demo-/,
  },
  {
    name: 'the Node of a worker does not become ready',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, workerStartup: { node: hour } }));
      await untilCondition(plane, ref('Cluster', namespace, name), 'ControlPlaneAvailable', 'True');
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'MachineStartsUp',
    root: /^DevMachine demo-workers-/,
    reason: 'WaitingForStartupTimeout',
    message: /Waiting for the simulated startup/,
    next: /kubectl describe devmachine\/demo-workers-/,
  },
  {
    name: 'the infrastructure does not support the machine',
    async make(plane, namespace) {
      const objects = clusterManifests({ name, namespace }) as { kind: string; metadata: { name: string } }[];
      await plane.create(
        ...objects.map((object) =>
          object.kind === 'DevMachineTemplate' && object.metadata.name === 'demo-workers'
            ? { ...object, spec: { template: { spec: { backend: { docker: {} } } } } }
            : object,
        ),
      );
      await untilCondition(plane, ref('Cluster', namespace, name), 'ControlPlaneAvailable', 'True');
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'InfrastructureMisconfigured',
    root: /^DevMachine demo-workers-/,
    reason: 'BackendNotSupported',
    message: /docker/i,
    next: /kubectl describe devmachine\/demo-workers-/,
  },
  {
    name: 'a Node is not ready',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const machine = await firstOf(plane, 'Machine', namespace, isWorker);
      await breakNode(plane, namespace, machine.name);
      await untilCondition(plane, machine, 'NodeHealthy', 'False');
      return ref('Cluster', namespace, name);
    },
    cause: 'NodeUnhealthy',
    root: /^Machine demo-workers-/,
    reason: 'NodeNotHealthy',
    message: /disk is gone/,
    next: /slipway timeline demo/,
  },
  {
    name: 'the Node of a Machine was deleted',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      const machine = await foreignMachine(plane, namespace);
      await untilCondition(plane, machine, 'NodeHealthy', 'True');
      const inside = plane.workloadClient({ namespace, name });
      const nodes = await inside.resourceFor({ group: '', kind: 'Node' });
      if (nodes !== undefined) await inside.delete(nodes, { namespace: '', name: machine.name });
      await untilCondition(plane, machine, 'NodeHealthy', 'False', 'NodeDeleted');
      return machine;
    },
    cause: 'NodeGone',
    root: 'Machine foreign',
    reason: 'NodeDeleted',
    message: /./,
    next: /kubectl delete machine\/foreign/,
  },
  {
    name: 'a MachineHealthCheck may not remediate as many Machines as are unhealthy',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 2 });
      const spec = { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 0 } } };
      await plane.create(healthCheck(namespace, { spec }));
      const machine = await firstOf(plane, 'Machine', namespace, isWorker);
      await breakNode(plane, namespace, machine.name);
      await untilCondition(plane, ref('MachineHealthCheck', namespace, 'check'), 'RemediationAllowed', 'False');
      return ref('MachineHealthCheck', namespace, 'check');
    },
    cause: 'RemediationNotAllowed',
    root: 'MachineHealthCheck check',
    reason: 'TooManyUnhealthy',
    message: /unhealthy/i,
    next: /kubectl get machines/,
  },
  {
    name: 'the only control plane machine is unhealthy and cannot be remediated',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      await plane.create(
        healthCheck(namespace, { selector: { matchLabels: { 'cluster.x-k8s.io/control-plane': '' } } }),
      );
      const machine = await firstOf(plane, 'Machine', namespace, isControlPlane);
      await breakNode(plane, namespace, machine.name);
      await untilCondition(plane, machine, 'OwnerRemediated', 'False', 'CannotBeRemediated');
      return ref('Cluster', namespace, name);
    },
    cause: 'RemediationFailed',
    root: /^Machine demo-/,
    reason: 'UnhealthyNode',
    message: /Health check failed/,
    next: /kubectl get machinehealthchecks/,
  },
  {
    name: 'the workload cluster becomes unreachable',
    async make(plane, namespace) {
      const cluster = await available(plane, { name, namespace, workers: 0 });
      const machine = await firstOf(plane, 'Machine', namespace, isControlPlane);
      plane.dev.workloads.get({ namespace, name })?.removeApiServer(machine.name);
      await untilCondition(plane, cluster, 'RemoteConnectionProbe', 'False');
      return cluster;
    },
    cause: 'WorkloadUnreachable',
    root: 'Cluster demo',
    reason: 'ProbeFailed',
    message: /Remote connection probe failed/,
    next: /slipway get kubeconfig demo/,
  },
  {
    name: 'the control plane of another provider creates no kubeconfig',
    async make(plane, namespace) {
      return foreignControlPlane(plane, namespace);
    },
    cause: 'KubeconfigMissing',
    root: 'Secret demo-kubeconfig',
    message: /Secret situation-\d+\/demo-kubeconfig does not exist/,
    next: /kubectl get secrets -n situation-/,
  },
  {
    name: 'the kubeconfig Secret does not have the cluster label (subtle behaviour 51)',
    async make(plane, namespace) {
      const cluster = await foreignControlPlane(plane, namespace);
      await plane.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'demo-kubeconfig', namespace },
        data: { value: Buffer.from('apiVersion: v1').toString('base64') },
      });
      await plane.advance(60_000);
      return cluster;
    },
    cause: 'KubeconfigNotLabelled',
    root: 'Secret demo-kubeconfig',
    message: /does not have the label cluster\.x-k8s\.io\/cluster-name=demo/,
    next: /kubectl label secret\/demo-kubeconfig -n situation-\d+ cluster\.x-k8s\.io\/cluster-name=demo/,
  },
  {
    name: 'the CA of a running cluster was deleted (subtle behaviour 26)',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      await plane.remove(ref('Secret', namespace, 'demo-ca'));
      const controlPlane = ref('KubeadmControlPlane', namespace, name);
      await plane.merge(controlPlane, { metadata: { annotations: { touched: 'yes' } } });
      await untilCondition(plane, controlPlane, 'CertificatesAvailable', 'False');
      return ref('Cluster', namespace, name);
    },
    cause: 'CertificatesMissing',
    root: 'Secret demo-ca',
    message: /demo-ca/,
    next: /kubectl get secrets -n situation-\d+ -l cluster\.x-k8s\.io\/cluster-name=demo/,
  },
  {
    name: 'a user-provided CA is invalid',
    async make(plane, namespace) {
      await plane.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'cluster.x-k8s.io/secret',
        metadata: { name: 'demo-ca', namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } },
        data: { 'tls.crt': Buffer.from('nothing').toString('base64'), 'tls.key': Buffer.from('x').toString('base64') },
      });
      await plane.create(...clusterManifests({ name, namespace }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'CertificatesUnusable',
    root: /^(KubeadmControlPlane|KubeadmConfig) demo/,
    message: /demo-ca/,
    next: /kubectl get secrets/,
  },
  {
    name: 'the bootstrap config references a Secret that does not exist',
    async make(plane, namespace) {
      const objects = clusterManifests({ name, namespace }) as { kind: string }[];
      const contentFrom = { secret: { name: 'proxy', key: 'config' } };
      const files = [{ path: '/etc/proxy', contentFrom }];
      await plane.create(
        ...objects.map((object) =>
          object.kind === 'KubeadmConfigTemplate'
            ? { ...object, spec: { template: { spec: { format: 'cloud-config', files } } } }
            : object,
        ),
      );
      await untilCondition(plane, ref('Cluster', namespace, name), 'ControlPlaneAvailable', 'True');
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'BootstrapDataFailed',
    root: /^KubeadmConfig demo-workers-/,
    message: /proxy/,
    next: /kubectl get kubeadmconfig\/demo-workers-/,
  },
  {
    name: 'workers have a newer version than the control plane',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const workers = ref('MachineDeployment', namespace, 'demo-workers');
      await plane.merge(workers, { spec: { template: { spec: { version: 'v1.36.0' } } } });
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'PreflightFailed',
    root: /^MachineSet demo-workers-/,
    message: /MachineSet version is higher than ControlPlane version/,
    next: /kubectl patch machinedeployment\/demo-workers -n \S+ --type merge -p '.*"version":"v1\.35\.0"/,
  },
  {
    name: 'an admission policy rejects Machines',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      await plane.create(...noMoreMachines(namespace));
      await plane.advance(10_000);
      await plane.merge(ref('MachineDeployment', namespace, 'demo-workers'), { spec: { replicas: 3 } });
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'MachineCreationRejected',
    root: /^MachineSet demo-workers-/,
    reason: 'MachineCreationFailed',
    message: /the budget is spent/,
    next: /kubectl describe machineset\/demo-workers-/,
  },
  {
    name: 'an etcd member was removed manually',
    async make(plane, namespace) {
      await available(plane, { name, namespace, controlPlanes: 3, workers: 0 });
      const controlPlane = ref('KubeadmControlPlane', namespace, name);
      await untilCondition(plane, controlPlane, 'ScalingUp', 'False');
      const machine = await firstOf(plane, 'Machine', namespace, isControlPlane);
      await plane.advance(joiningMs);
      const etcd = plane.dev.workloads.get({ namespace, name })?.etcd;
      etcd?.remove(etcd.members.find((member) => member.name === machine.name)?.id ?? 0n);
      await plane.merge(controlPlane, { metadata: { annotations: { touched: 'yes' } } });
      await untilCondition(plane, controlPlane, 'EtcdClusterHealthy', 'False');
      return ref('Cluster', namespace, name);
    },
    cause: 'EtcdUnhealthy',
    root: /^Machine demo-/,
    reason: 'NotHealthy',
    message: /doesn't have an etcd member/,
    next: /slipway get kubeconfig demo/,
  },
  {
    name: 'the scheduler of a control plane is not running',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      const machine = await firstOf(plane, 'Machine', namespace, isControlPlane);
      await plane.advance(joiningMs);
      const pod = { kind: 'Pod', namespace: 'kube-system', name: `kube-scheduler-${machine.name}` };
      const waiting = { reason: 'CrashLoopBackOff', message: 'back-off restarting' };
      const conditions = [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }];
      const containerStatuses = [
        { name: 'kube-scheduler', ready: false, restartCount: 9, image: '', imageID: '', state: { waiting } },
      ];
      await patchInside(plane, namespace, pod, { phase: 'Running', conditions, containerStatuses });
      const controlPlane = ref('KubeadmControlPlane', namespace, name);
      await plane.merge(controlPlane, { metadata: { annotations: { touched: 'yes' } } });
      await untilCondition(plane, controlPlane, 'ControlPlaneComponentsHealthy', 'False');
      return ref('Cluster', namespace, name);
    },
    cause: 'ComponentsUnhealthy',
    root: /^Machine demo-/,
    message: /CrashLoopBackOff/,
    next: /slipway get kubeconfig demo/,
  },
];

checkSituations('why, for machines that do not start or become unhealthy', situations);

it('reports no problem while a cluster is being created', async () => {
  const plane = await startSimulatedPlane();
  const namespace = 'comes-up';
  const startup = { vm: '5s', node: '2s', etcd: '2s', apiServer: '2s' };
  await plane.create(
    ...clusterManifests({ name, namespace, controlPlanes: 3, workers: 2, startup, workerStartup: startup }),
  );
  const told = new Set<string>();
  for (let second = 0; second < 120; second += 1) {
    const explanation = await explainObject(plane, ref('Cluster', namespace, name));
    told.add(explanation.verdict === 'blocked' ? summaryOf(explanation) : explanation.verdict);
    await plane.advance(1_000);
  }
  await plane.stop();
  expect([...told].filter((text) => text.startsWith('blocked'))).toEqual([]);
  expect([...told].at(-1)).toBe('well');
});
