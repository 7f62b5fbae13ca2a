import { formatTime } from '@slipway/kube';
import { checkSituations } from './check-situations.js';
import { clusterManifests, clusterOn, idleDefinition, ref } from './manifests.js';
import { available, isWorker, firstOf, type Situation, untilCondition } from './situations.js';
import type { SimulatedPlane } from './simulated-plane.js';

const name = 'demo';
const paused = 'cluster.x-k8s.io/paused';

/** Changes the template of the workers, which triggers a rollout. */
async function changeWorkers(plane: SimulatedPlane, namespace: string, spec: object): Promise<void> {
  const workers = ref('MachineDeployment', namespace, 'demo-workers');
  await plane.merge(workers, { spec });
  await plane.advance(5_000);
  await plane.create({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'DevMachineTemplate',
    metadata: { name: 'other', namespace },
    spec: { template: { spec: { backend: { inMemory: {} } } } },
  });
  await plane.merge(workers, { spec: { template: { spec: { infrastructureRef: { name: 'other' } } } } });
  await plane.advance(20_000);
}

const situations: readonly Situation[] = [
  {
    name: 'the Cluster is paused',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace }));
      await plane.merge(ref('Cluster', namespace, name), { spec: { paused: true } });
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ClusterPaused',
    root: 'Cluster demo',
    reason: 'Paused',
    message: /is paused/,
    next: /kubectl patch cluster\/demo -n situation-\d+ --type merge -p '\{"spec":\{"paused":null\}\}'/,
  },
  {
    name: 'the subject is a Machine of a paused Cluster',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      await plane.merge(ref('Cluster', namespace, name), { spec: { paused: true } });
      await plane.advance(5_000);
      return firstOf(plane, 'Machine', namespace, isWorker);
    },
    cause: 'ClusterPaused',
    root: 'Cluster demo',
    message: /is paused/,
    next: /kubectl patch cluster\/demo/,
  },
  {
    name: 'the control plane is paused by annotation before it has machines',
    async make(plane, namespace) {
      const objects = clusterManifests({ name, namespace }) as { kind: string; metadata: Record<string, unknown> }[];
      await plane.create(
        ...objects.map((object) =>
          object.kind === 'KubeadmControlPlane'
            ? { ...object, metadata: { ...object.metadata, annotations: { [paused]: '' } } }
            : object,
        ),
      );
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ObjectPaused',
    root: 'KubeadmControlPlane demo',
    message: /paused by an annotation/,
    next: /kubectl annotate kubeadmcontrolplane\/demo -n situation-\d+ cluster\.x-k8s\.io\/paused-/,
  },
  {
    name: 'a Machine in deletion is paused',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const machine = await firstOf(plane, 'Machine', namespace, isWorker);
      await plane.merge(machine, { metadata: { annotations: { [paused]: '' } } });
      await plane.advance(2_000);
      await plane.remove(machine);
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ObjectPaused',
    root: /^Machine demo-workers-/,
    message: /paused by an annotation/,
    next: /kubectl annotate machine\/demo-workers-\S+ -n situation-\d+ cluster\.x-k8s\.io\/paused-/,
  },
  {
    name: 'a rollout is paused',
    async make(plane, namespace) {
      const cluster = await available(plane, { name, namespace });
      await changeWorkers(plane, namespace, { paused: true });
      return cluster;
    },
    cause: 'RolloutPaused',
    root: 'MachineDeployment demo-workers',
    message: /1 Machines of MachineDeployment .* are not up to date, and its rollout is paused/,
    next: /slipway rollout resume machinedeployment\/demo-workers/,
  },
  {
    name: 'outdated Machines with the OnDelete strategy are not deleted',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      await changeWorkers(plane, namespace, { rollout: { strategy: { type: 'OnDelete', rollingUpdate: null } } });
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'RolloutOnDelete',
    root: 'MachineDeployment demo-workers',
    message: /the rollout strategy OnDelete replaces them only after they are deleted/,
    next: /kubectl get machines -n situation-\d+ -l cluster\.x-k8s\.io\/deployment-name=demo-workers/,
  },
  {
    name: 'spec.rollout.after is in the future',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const after = formatTime(plane.clock.now() + 3_600_000);
      await plane.merge(ref('MachineDeployment', namespace, 'demo-workers'), { spec: { rollout: { after } } });
      await plane.advance(5_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'RolloutLater',
    root: 'MachineDeployment demo-workers',
    message: /are replaced after 20/,
    next: /slipway rollout restart machinedeployment\/demo-workers/,
  },
  {
    name: 'the infrastructure is externally managed',
    async make(plane, namespace) {
      await plane.create(idleDefinition('RackCluster', { 'cluster.x-k8s.io/v1beta2': 'v1' }));
      await plane.advance(5_000);
      await plane.create(...clusterOn('RackCluster', { name, namespace }), {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1',
        kind: 'RackCluster',
        metadata: { name, namespace, annotations: { 'cluster.x-k8s.io/managed-by': 'terraform' } },
      });
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ExternallyManaged',
    root: 'RackCluster demo',
    message: /is managed by terraform, which has not reported it as provisioned/,
    next: /kubectl get rackcluster\/demo/,
  },
  {
    name: 'a MachineSet may not create Machines',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      const machineSet = {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineSet',
        metadata: { name: 'idle', namespace, annotations: { 'cluster.x-k8s.io/disable-machine-create': 'true' } },
        spec: {
          clusterName: name,
          replicas: 2,
          selector: { matchLabels: { set: 'idle' } },
          template: {
            metadata: { labels: { set: 'idle' } },
            spec: {
              clusterName: name,
              version: 'v1.35.0',
              bootstrap: { dataSecretName: 'none' },
              infrastructureRef: {
                apiGroup: 'infrastructure.cluster.x-k8s.io',
                kind: 'DevMachineTemplate',
                name: 'demo-workers',
              },
            },
          },
        },
      };
      await plane.create(machineSet);
      await untilCondition(plane, ref('MachineSet', namespace, 'idle'), 'ScalingUp', 'True');
      return ref('MachineSet', namespace, 'idle');
    },
    cause: 'MachineCreationDisabled',
    root: 'MachineSet idle',
    message: /needs 2 Machines, but Machine creation is disabled/,
    next: /kubectl annotate machineset\/idle -n situation-\d+ cluster\.x-k8s\.io\/disable-machine-create-/,
  },
  {
    name: 'the namespace is being deleted',
    async make(plane, namespace) {
      const cluster = await available(plane, { name, namespace, workers: 0 });
      // A finalizer blocks the deletion of the namespace; the explained object does not have a deletionTimestamp
      // itself.
      await plane.merge(cluster, { metadata: { finalizers: ['cluster.cluster.x-k8s.io', 'example.com/hold'] } });
      const home = ref('Namespace', '', namespace);
      const resource = await plane.client.resourceFor({ group: '', kind: 'Namespace' });
      if (resource === undefined) throw new Error('no namespaces');
      await plane.client.delete(resource, { namespace: '', name: home.name });
      return cluster;
    },
    cause: 'NamespaceTerminating',
    root: /^Namespace situation-/,
    message: /namespace situation-\d+ is being deleted/,
    next: /kubectl get namespace situation-\d+/,
  },
];

checkSituations('why, for paused and held objects', situations);
