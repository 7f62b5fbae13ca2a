import { checkSituations } from './check-situations.js';
import { ref } from './manifests.js';
import { available, isControlPlane, isWorker, firstOf, type Situation, untilCondition } from './situations.js';
import type { SimulatedPlane } from './simulated-plane.js';

const name = 'demo';

/** Creates a cluster and returns a worker to delete, with additional annotations or finalizers. */
async function blockedWorker(
  plane: SimulatedPlane,
  namespace: string,
  metadata: object,
): Promise<ReturnType<typeof ref>> {
  await available(plane, { name, namespace });
  const machine = await firstOf(plane, 'Machine', namespace, isWorker);
  await plane.merge(machine, { metadata });
  return machine;
}

const hold = 'example.com/hold';

const situations: readonly Situation[] = [
  {
    name: 'a pre-drain hook blocks the deletion of a Machine',
    async make(plane, namespace) {
      const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
      const machine = await blockedWorker(plane, namespace, { annotations: { [hook]: 'backup-operator' } });
      await plane.remove(machine);
      await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForPreDrainHook');
      return machine;
    },
    cause: 'DeletionHook',
    root: /^Machine demo-workers-/,
    reason: 'WaitingForPreDrainHook',
    message: /is blocked by the hook annotation pre-drain\.delete\.hook\.machine\.cluster\.x-k8s\.io\/backup/,
    next: /kubectl annotate machine\/demo-workers-\S+ -n \S+ pre-drain\.delete\.hook\.machine\.cluster\.x-k8s\.io\/backup-/,
  },
  {
    name: 'a hook on a Machine blocks the deletion of the Cluster',
    async make(plane, namespace) {
      const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/detach';
      const machine = await blockedWorker(plane, namespace, { annotations: { [hook]: '' } });
      await plane.remove(ref('Cluster', namespace, name));
      await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForPreTerminateHook');
      return ref('Cluster', namespace, name);
    },
    cause: 'DeletionHook',
    root: /^Machine demo-workers-/,
    reason: 'WaitingForPreTerminateHook',
    message: /is blocked by the hook annotation pre-terminate\.delete\.hook\.machine\.cluster\.x-k8s\.io\/detach/,
    next: /kubectl annotate machine\/demo-workers-/,
  },
  {
    name: 'a PodDisruptionBudget blocks the drain of a Node',
    async make(plane, namespace) {
      const machine = await blockedWorker(plane, namespace, {});
      await blockDrain(plane, namespace, machine.name);
      await plane.remove(machine);
      await untilCondition(plane, machine, 'Deleting', 'True', 'DrainingNode');
      await plane.advance(60_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'DrainBlocked',
    root: /^Machine demo-workers-/,
    reason: 'DrainingNode',
    message: /Drain not completed yet[^]*default\/web/,
    next: /kubectl annotate machine\/demo-workers-\S+ -n \S+ machine\.cluster\.x-k8s\.io\/exclude-node-draining=/,
  },
  {
    name: 'a volume stays attached to the Node of a Machine',
    async make(plane, namespace) {
      const machine = await blockedWorker(plane, namespace, {});
      const inside = plane.workloadClient({ namespace, name });
      const nodes = await inside.resourceFor({ group: '', kind: 'Node' });
      if (nodes === undefined) throw new Error('no nodes');
      const volumesAttached = [{ name: 'kubernetes.io/csi/disk.example.com^42', devicePath: '' }];
      const body = { type: 'merge', patch: { status: { volumesAttached } } } as const;
      await inside.patch(nodes, { namespace: '', name: machine.name }, body, { subresource: 'status' });
      await plane.remove(machine);
      await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForVolumeDetach');
      return machine;
    },
    cause: 'VolumesAttached',
    root: /^Machine demo-workers-/,
    reason: 'WaitingForVolumeDetach',
    message: /disk\.example\.com\^42/,
    next: /exclude-wait-for-node-volume-detach=/,
  },
  {
    name: 'a foreign finalizer blocks the infrastructure of a Machine',
    async make(plane, namespace) {
      const machine = await blockedWorker(plane, namespace, {});
      const target = ref('DevMachine', namespace, machine.name);
      await addFinalizer(plane, target);
      await plane.remove(machine);
      await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForInfrastructureDeletion');
      await plane.advance(10_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'ForeignFinalizer',
    root: /^DevMachine demo-workers-/,
    message: /is blocked by the finalizer example\.com\/hold/,
    next: /slipway unblock devmachine\/demo-workers-\S+ -n \S+ --dry-run/,
  },
  {
    name: 'a foreign finalizer on a MachineDeployment blocks the deletion of the Cluster',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const deployment = ref('MachineDeployment', namespace, 'demo-workers');
      await addFinalizer(plane, deployment);
      await plane.remove(ref('Cluster', namespace, name));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ForeignFinalizer',
    root: 'MachineDeployment demo-workers',
    message: /is blocked by the finalizer example\.com\/hold/,
    next: /slipway unblock machinedeployment\/demo-workers/,
  },
  {
    name: 'a foreign finalizer blocks the infrastructure of a Cluster in deletion',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      await addFinalizer(plane, ref('DevCluster', namespace, name));
      await plane.remove(ref('Cluster', namespace, name));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ForeignFinalizer',
    root: 'DevCluster demo',
    message: /is blocked by the finalizer example\.com\/hold/,
    next: /slipway unblock devcluster\/demo/,
  },
  {
    name: 'a foreign finalizer blocks the Cluster',
    async make(plane, namespace) {
      const cluster = await available(plane, { name, namespace, workers: 0 });
      await addFinalizer(plane, cluster);
      await plane.remove(cluster);
      await plane.advance(60_000);
      return cluster;
    },
    cause: 'ForeignFinalizer',
    root: 'Cluster demo',
    message: /is blocked by the finalizer example\.com\/hold/,
    next: /slipway unblock cluster\/demo/,
  },
  {
    name: 'the control plane cannot scale down because a hook blocks one of its Machines',
    async make(plane, namespace) {
      await available(plane, { name, namespace, controlPlanes: 3, workers: 0 });
      await untilCondition(plane, ref('KubeadmControlPlane', namespace, name), 'ScalingUp', 'False');
      const machine = await firstOf(plane, 'Machine', namespace, isControlPlane);
      const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/hold';
      await plane.merge(machine, { metadata: { annotations: { [hook]: '' } } });
      await plane.remove(machine);
      await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForPreDrainHook');
      await plane.advance(10_000);
      return ref('KubeadmControlPlane', namespace, name);
    },
    cause: 'DeletionHook',
    root: /^Machine demo-/,
    message: /pre-drain\.delete\.hook/,
    next: /kubectl annotate machine\/demo-/,
  },
];

async function addFinalizer(plane: SimulatedPlane, target: ReturnType<typeof ref>): Promise<void> {
  const { metadata } = await plane.get(target);
  await plane.merge(target, { metadata: { finalizers: [...(metadata.finalizers ?? []), hold] } });
}

/** Creates a pod on the Node, and a PodDisruptionBudget that allows no disruptions. */
async function blockDrain(plane: SimulatedPlane, namespace: string, node: string): Promise<void> {
  const inside = plane.workloadClient({ namespace, name });
  const make = async (group: string, kind: string, object: object): Promise<void> => {
    const resource = await inside.resourceFor({ group, kind });
    if (resource === undefined) throw new Error(`the workload cluster serves no ${kind}`);
    await inside.create(resource, object as never);
  };
  const labels = { app: 'web' };
  await make('', 'Pod', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', labels },
    spec: { nodeName: node, containers: [{ name: 'web', image: 'web' }] },
    status: { phase: 'Running' },
  });
  await make('policy', 'PodDisruptionBudget', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  });
}

checkSituations('why, for stuck deletions', situations);
