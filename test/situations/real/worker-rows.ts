import { breakNode, foreignMachine, healthCheck } from '../../../packages/insight/test/broken-machines.js';
import { ref } from '../../../packages/insight/test/manifests.js';
import { isControlPlane, untilCondition } from '../../../packages/insight/test/situations.js';
import {
  addFinalizer,
  available,
  clusterRef,
  controlPlaneMachine,
  create,
  createInside,
  deadWebhook,
  firstOfCluster,
  worker,
} from './objects.js';
import type { Place, RealSituation } from './shared-plane.js';

/** Deletes a worker after a change that blocks its deletion at a stage. */
async function deleteWorker(
  place: Place,
  reason: string,
  block: (machine: ReturnType<typeof ref>) => Promise<void>,
): Promise<ReturnType<typeof ref>> {
  await available(place);
  const machine = await worker(place);
  await block(machine);
  await place.plane.remove(machine);
  await untilCondition(place.plane, machine, 'Deleting', 'True', reason);
  return machine;
}

function workersOf({ namespace, name }: Place): ReturnType<typeof ref> {
  return ref('MachineDeployment', namespace, `${name}-workers`);
}

/** Workers, health checks, pools and drains. */
export const workerRows: readonly RealSituation[] = [
  {
    row: 'the version of the workers is newer than that of the control plane',
    async make(place) {
      await available(place);
      await place.plane.merge(workersOf(place), { spec: { template: { spec: { version: 'v1.36.0' } } } });
      await place.plane.advance(30_000);
    },
  },
  {
    row: 'the creation of Machines is disabled',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      // A MachineDeployment would remove the annotation from its own MachineSets.
      const own = `${name}-workers-alone`;
      const apiGroup = 'infrastructure.cluster.x-k8s.io';
      const infrastructureRef = { apiGroup, kind: 'DevMachineTemplate', name: `${name}-workers` };
      const bootstrap = { dataSecretName: 'none' };
      await plane.create({
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineSet',
        metadata: { name: own, namespace, annotations: { 'cluster.x-k8s.io/disable-machine-create': 'true' } },
        spec: {
          clusterName: name,
          replicas: 2,
          selector: { matchLabels: { set: own } },
          template: {
            metadata: { labels: { set: own } },
            spec: { clusterName: name, version: 'v1.35.0', bootstrap, infrastructureRef },
          },
        },
      });
      await untilCondition(plane, ref('MachineSet', namespace, own), 'ScalingUp', 'True');
      return ref('MachineSet', namespace, own);
    },
  },
  {
    row: 'a webhook is down while workers are added',
    async make(place) {
      const { plane } = place;
      await available(place);
      await plane.create(deadWebhook(place));
      await plane.advance(5_000);
      await plane.merge(workersOf(place), { spec: { replicas: 2 } });
      await plane.advance(60_000);
    },
  },
  {
    row: 'a Node is not ready',
    async make(place) {
      await available(place);
      const machine = await worker(place);
      await breakNode(place.plane, place.namespace, machine.name, place.name);
      await untilCondition(place.plane, machine, 'NodeHealthy', 'False');
    },
  },
  {
    row: 'the Node of a worker was deleted',
    names: { worker: 'foreign(-row-[0-9]+)?' },
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      const machine = await foreignMachine(plane, namespace, name);
      await untilCondition(plane, machine, 'NodeHealthy', 'True');
      const inside = plane.workloadClient({ namespace, name });
      const nodes = await inside.resourceFor({ group: '', kind: 'Node' });
      if (nodes !== undefined) await inside.delete(nodes, { namespace: '', name: machine.name });
      await untilCondition(plane, machine, 'NodeHealthy', 'False', 'NodeDeleted');
    },
  },
  {
    row: 'a health check may not remediate so many Machines',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 2 });
      const spec = { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 0 } } };
      await plane.create(healthCheck(namespace, { spec }, name));
      await breakNode(plane, namespace, (await worker(place)).name, name);
      const check = ref('MachineHealthCheck', namespace, name === 'demo' ? 'check' : `check-${name}`);
      await untilCondition(plane, check, 'RemediationAllowed', 'False');
      return check;
    },
  },
  {
    row: 'an unhealthy Machine cannot be remediated',
    names: { worker: '(demo|row-[0-9]+)-[a-z0-9]{5}' },
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      const labels = { 'cluster.x-k8s.io/control-plane': '', 'cluster.x-k8s.io/cluster-name': name };
      await plane.create(healthCheck(namespace, { selector: { matchLabels: labels } }, name));
      const machine = await firstOfCluster(place, 'Machine', isControlPlane);
      await breakNode(plane, namespace, machine.name, name);
      await untilCondition(plane, machine, 'OwnerRemediated', 'False', 'CannotBeRemediated');
    },
  },
  {
    row: 'a PodDisruptionBudget blocks a drain',
    make: (place) =>
      deleteWorker(place, 'DrainingNode', async ({ name: nodeName }) => {
        const labels = { app: 'web' };
        await createInside(place, '', 'Pod', {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'web', namespace: 'default', labels },
          spec: { nodeName, containers: [{ name: 'web', image: 'web' }] },
          status: { phase: 'Running' },
        });
        await createInside(place, 'policy', 'PodDisruptionBudget', {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'web', namespace: 'default' },
          spec: { minAvailable: 1, selector: { matchLabels: labels } },
        });
      }),
  },
  {
    row: 'volumes stay attached to the Node of a deleted Machine',
    make: (place) =>
      deleteWorker(place, 'WaitingForVolumeDetach', async (machine) => {
        const inside = place.plane.workloadClient({ namespace: place.namespace, name: place.name });
        const nodes = await inside.resourceFor({ group: '', kind: 'Node' });
        if (nodes === undefined) throw new Error('no nodes');
        const volumesAttached = [{ name: 'kubernetes.io/csi/disk.example.com^42', devicePath: '' }];
        const body = { type: 'merge', patch: { status: { volumesAttached } } } as const;
        await inside.patch(nodes, { namespace: '', name: machine.name }, body, { subresource: 'status' });
      }),
  },
  {
    row: 'a pre-drain hook holds the deletion of a Machine',
    make: (place) =>
      deleteWorker(place, 'WaitingForPreDrainHook', (machine) =>
        place.plane.merge(machine, {
          metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': 'velero' } },
        }),
      ),
  },
  {
    row: 'the infrastructure of a MachinePool does not exist',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      const pool = name === 'demo' ? 'pool' : `pool-${name}`;
      const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: pool };
      const bootstrap = { dataSecretName: 'none' };
      const template = { spec: { clusterName: name, version: 'v1.35.0', bootstrap, infrastructureRef } };
      await plane.create({
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachinePool',
        metadata: { name: pool, namespace },
        spec: { clusterName: name, replicas: 1, template },
      });
      await plane.advance(60_000);
    },
  },
  {
    row: 'a foreign finalizer blocks the deletion of a Cluster',
    async make(place) {
      await available(place);
      await addFinalizer(place, workersOf(place), 'backup.example.com/keep');
      await place.plane.remove(clusterRef(place));
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'the infrastructure of a worker was deleted',
    async make(place) {
      await available(place);
      const machine = await worker(place);
      const target = ref('DevMachine', place.namespace, machine.name);
      await place.plane.remove(target);
      await place.plane.merge(target, { metadata: { finalizers: null } });
      await place.plane.advance(30_000);
    },
  },
  {
    row: 'a Machine is paused by an annotation while it starts',
    async make(place) {
      const { plane } = place;
      await create(place, { startup: { vm: '1h' } });
      const machine = await controlPlaneMachine(place);
      await plane.merge(machine, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
      await plane.advance(30_000);
    },
  },
];
